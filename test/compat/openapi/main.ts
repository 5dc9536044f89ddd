/**
 * Runs other people's tools on the OpenAPI document, and checks it against a served mock. Prints a table; exits with 1 if a
 * tool reports a problem.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { build } from 'esbuild';
import { printTable } from '../../../scripts/bench/tables.ts';
import type { Connect } from './clients/client.ts';
import { DOCUMENT, FOLDER, run, runTool } from './run-tool.ts';

/** Where the tools write. */
const GENERATED = join(FOLDER, 'generated');

const mock = createMock({ data: 'demo', clock: 'system' });
const server = await serve(mock);

/** Lints the published document, and the one that the mock serves, whose examples are its rows. */
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

/** Uses a generated client: a create, a list, a get, an error. */
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
