/**
 * Runs other people's tools on the OpenAPI document, and uses the generated clients with a mock server. Prints a table;
 * exits with 1 if a tool reports a problem.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { build } from 'esbuild';
import { printTable } from '../../../scripts/bench/tables.ts';
import type { Connect } from './clients/client.ts';

/** The folder in which the tools are installed. */
const FOLDER = import.meta.dirname;
/** The document that they read. */
const DOCUMENT = join(FOLDER, '../../../packages/client/openapi.json');

/** Turns off telemetry and checks for updates. */
const TOOL_ENV = {
  ...process.env,
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** @throws An {@link Error} when the command fails. The message is what it printed. */
const run = async (command: string, ...args: readonly string[]): Promise<void> => {
  try {
    await promisify(execFile)(command, args, { cwd: FOLDER, env: TOOL_ENV, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(stripVTControlCharacters(`${command} ${args.join(' ')}\n${stdout}${stderr}`));
  }
};

/** Runs one of the installed tools. */
const runTool = (tool: string, ...args: readonly string[]): Promise<void> =>
  run(join(FOLDER, 'node_modules/.bin', tool), ...args);

/** The folder that the tools write to. */
const GENERATED = join(FOLDER, 'generated');

const mock = createMock({ data: 'demo', clock: 'system' });
const server = await serve(mock);

/** Lints the published document, and that of the mock server, whose examples are its rows. */
const lint = async (): Promise<void> => {
  const served = join(GENERATED, 'served.json');
  writeFileSync(served, await (await fetch(`${server.url}/__mock/api.json`)).text());
  await runTool('redocly', 'lint', '--extends=recommended-strict', DOCUMENT, served);
};

/** Generates each client, and compiles it with the program that uses it. */
const generate = async (): Promise<void> => {
  await runTool('openapi-typescript', DOCUMENT, '--output', 'generated/openapi-typescript.ts');
  await runTool('openapi-ts', '--input', DOCUMENT, '--output', 'generated/hey-api');
  await runTool('tsc', '--project', 'tsconfig.json');
};

/** Creates, lists and gets a lead with a generated client, and reads an error. */
const use = async (program: string, phone: string): Promise<void> => {
  const outfile = join(GENERATED, `${program}.mjs`);
  await build({
    entryPoints: [join(FOLDER, `clients/${program}.ts`)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  });
  const { connect } = (await import(outfile)) as { connect: Connect };
  const { create, list, get } = connect(server.url, mock.apiKey);
  const created = (await create(phone)).data?.data;
  assert.equal(created?.phone, phone);
  assert.deepEqual((await list()).data?.data[0], created);
  assert.deepEqual((await get(created.id)).data?.data, created);
  assert.equal((await get('00000000-0000-4000-8000-000000000000')).error?.code, 'NOT_FOUND');
};

const CHECKS: Readonly<Record<string, () => Promise<void>>> = {
  'Redocly, `recommended-strict`': lint,
  'generated clients compile': generate,
  'openapi-typescript with openapi-fetch': () => use('openapi-fetch', '+442079460301'),
  'Hey API': () => use('hey-api', '+442079460302'),
};

rmSync(GENERATED, { recursive: true, force: true });
mkdirSync(GENERATED);
// The folder is a workspace of its own, so this installs nothing elsewhere.
await run('pnpm', 'install', '--frozen-lockfile', '--loglevel=error');

const rows: string[][] = [];
for (const [name, check] of Object.entries(CHECKS)) {
  const problem = await check().catch((error: unknown) => error);
  rows.push([name, problem === undefined ? 'ok' : 'FAILED']);
  if (problem !== undefined) {
    console.error(name, problem);
    process.exitCode = 1;
  }
}
printTable(['Tool', ''], rows);
await server.close();
