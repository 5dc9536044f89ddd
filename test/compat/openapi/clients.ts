import { strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { ClientProgram } from './clients/client-program.ts';
import type { RunningMock } from './mock.ts';
import { DOCUMENT, FOLDER, GENERATED, runTool } from './tool.ts';

/** Generators, each with the program that uses what it generates. */
export const CLIENTS = [
  {
    name: 'openapi-typescript with openapi-fetch',
    program: 'openapi-fetch',
    generate: () =>
      runTool('openapi-typescript', [DOCUMENT, '--output', join(GENERATED, 'openapi-typescript.ts')]),
  },
  {
    name: 'Hey API',
    program: 'hey-api',
    generate: () => runTool('openapi-ts', ['--input', DOCUMENT, '--output', join(GENERATED, 'hey-api')]),
  },
  {
    name: 'Orval',
    program: 'orval',
    generate: ({ baseUrl }: RunningMock) =>
      runTool('orval', ['--config', 'orval.config.ts'], { CONFAB_BASE_URL: baseUrl }),
  },
  {
    name: 'openapi-zod-client with Zodios',
    program: 'zodios',
    generate: () =>
      runTool('openapi-zod-client', [
        DOCUMENT,
        '--output',
        join(GENERATED, 'openapi-zod-client.ts'),
        '--export-schemas',
      ]),
  },
] as const;

/** Generates every client, and compiles them with the programs that use them. */
export const compileClients = async (mock: RunningMock): Promise<void> => {
  for (const { generate } of CLIENTS) {
    await generate(mock);
  }
  await runTool('tsc', ['--project', 'tsconfig.json']);
};

/** Runs one of the programs against the mock. */
export const runClient = async (mock: RunningMock, program: string, nth: number): Promise<void> => {
  const outfile = join(GENERATED, `${program}.mjs`);
  await build({
    entryPoints: [join(FOLDER, 'clients', `${program}.ts`)],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'error',
  });
  const { run } = (await import(outfile)) as { run: ClientProgram };
  const phone = `+442079460${300 + nth}`;
  const missingId = '00000000-0000-4000-8000-000000000000';
  const { created, listed, got, missing } = await run({
    baseUrl: mock.baseUrl,
    apiKey: mock.apiKey,
    phone,
    missingId,
  });
  strictEqual(created.status, 'new');
  strictEqual(listed[0]?.id, created.id);
  strictEqual(got.id, created.id);
  strictEqual(got.phone, phone);
  strictEqual(missing.status, 404);
  strictEqual(missing.code, 'NOT_FOUND');
};
