/**
 * Installs the tarballs into projects as users have them: compiles a program against their declarations, loads them from
 * CommonJS, runs the command of the client, and runs tests with vitest, Jest, Bun and Playwright. Prints the tables of
 * docs/compatibility.md; exits with 1 when a cell fails.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cell, createProject, onNode, printHead, printRow } from '../project.ts';
import { testRunners } from './test-runners.ts';

const TYPESCRIPTS = ['5.9', '6', '7'];
const RESOLUTIONS = ['bundler', 'nodenext'];

const project = createProject(
  'consumer',
  {
    '@types/node': '^24.0.0',
    fastify: '^5.0.0',
    zod: '^4.0.0',
    ...Object.fromEntries(
      TYPESCRIPTS.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
    ),
  },
  {
    'consumer.ts': new URL('files/consumer.ts', import.meta.url),
    'zod.ts': new URL('files/zod.ts', import.meta.url),
    'common.cjs': `const { createClient, ConfabError } = require('@confab/client');
      const { operations } = require('@confab/client/contract');
      const { createWebhooks } = require('@confab/webhooks');
      const { createMock } = require('@confab/mock');
      const mock = createMock();
      createClient(mock.clientOptions).leads.get('5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11').catch(async (error) => {
        const { ConfabError: imported } = await import('@confab/client');
        if (!(error instanceof ConfabError) || imported !== ConfabError) process.exitCode = 1;
        if (!operations['leads.get'] || !createWebhooks) process.exitCode = 1;
      });`,
  },
);

const compile = (version: string, resolution: string, exact: boolean): string => {
  const tsconfig = `tsconfig.${version}.${resolution}.${exact}.json`;
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: exact,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(
    join(project, tsconfig),
    JSON.stringify({ compilerOptions, files: ['consumer.ts', 'zod.ts'] }),
  );
  return cell(project, process.execPath, [`node_modules/typescript-${version}/bin/tsc`, '-p', tsconfig]);
};

printHead(
  'TypeScript',
  '`moduleResolution`',
  '`exactOptionalPropertyTypes`',
  'compiles with `skipLibCheck: false`',
);
for (const version of TYPESCRIPTS) {
  for (const resolution of RESOLUTIONS) {
    for (const exact of [true, false]) {
      printRow(version, resolution, exact ? 'on' : 'off', compile(version, resolution, exact));
    }
  }
}

printHead('Node', '`require()` from CommonJS, sharing one copy with `import`');
for (const version of ['22.12', '24', '26']) {
  printRow(version, cell(project, 'npx', [...onNode(version), '--no-warnings', 'common.cjs']));
}

printHead('Node', 'the contract in schemas of an own copy of zod');
printRow(process.versions.node, cell(project, process.execPath, ['zod.ts']));

const command = ['agents', 'list', '--mock'];
printHead('Node', '`npx @confab/client agents list --mock`');
printRow(process.versions.node, cell(project, 'npx', ['@confab/client', ...command]));
for (const version of ['22.12', '26']) {
  printRow(version, cell(project, 'npx', [...onNode(version), 'node_modules/.bin/confab', ...command]));
}

testRunners();
