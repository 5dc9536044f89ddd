/**
 * Installs the tarballs into projects as users have them, compiles a program against their declarations, loads them from
 * CommonJS, and runs the command of the client. Prints the matrix as Markdown; exits 1 when a cell fails.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGES, pack, run } from './pack.ts';

const TYPESCRIPTS = ['5.9', '6', '7'];
const RESOLUTIONS = ['bundler', 'nodenext'];

const project = mkdtempSync(join(tmpdir(), 'confab-consumer-'));
copyFileSync(new URL('./consumer/consumer.ts', import.meta.url), join(project, 'consumer.ts'));
const tarballs = Object.fromEntries(PACKAGES.map((name) => [`@confab/${name}`, `file:${pack(name)}`]));
writeFileSync(
  join(project, 'package.json'),
  JSON.stringify({
    name: 'consumer',
    private: true,
    type: 'module',
    dependencies: tarballs,
    // The packages depend on each other by version, and these versions are not published yet.
    overrides: tarballs,
    devDependencies: {
      '@types/node': '^24.0.0',
      fastify: '^5.0.0',
      ...Object.fromEntries(
        TYPESCRIPTS.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
      ),
    },
  }),
);
run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project);

let failed = false;
const cell = (command: string, args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, encoding: 'utf8' });
  if (status === 0) {
    return 'ok';
  }
  failed = true;
  console.error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return 'FAILED';
};

const compile = (version: string, resolution: string, exact: boolean): string => {
  const tsconfig = `tsconfig.${version}.${resolution}.${exact}.json`;
  writeFileSync(
    join(project, tsconfig),
    JSON.stringify({
      compilerOptions: {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        module: resolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution: resolution,
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: exact,
        skipLibCheck: false,
        noEmit: true,
      },
      files: ['consumer.ts'],
    }),
  );
  return cell(process.execPath, [`node_modules/typescript-${version}/bin/tsc`, '-p', tsconfig]);
};

console.log(
  '| TypeScript | `moduleResolution` | `exactOptionalPropertyTypes` | compiles with `skipLibCheck: false` |',
);
console.log('|---|---|---|---|');
for (const version of TYPESCRIPTS) {
  for (const resolution of RESOLUTIONS) {
    for (const exact of [true, false]) {
      console.log(
        `| ${version} | ${resolution} | ${exact ? 'on' : 'off'} | ${compile(version, resolution, exact)} |`,
      );
    }
  }
}

writeFileSync(
  join(project, 'common.cjs'),
  `const { createClient, ConfabError } = require('@confab/client');
   const { operations } = require('@confab/client/contract');
   const { createWebhooks } = require('@confab/webhooks');
   const { createMock } = require('@confab/mock');
   const mock = createMock();
   createClient(mock.clientOptions).leads.get('5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11').catch(async (error) => {
     const { ConfabError: imported } = await import('@confab/client');
     if (!(error instanceof ConfabError) || imported !== ConfabError) process.exitCode = 1;
     if (!operations['leads.get'] || !createWebhooks) process.exitCode = 1;
   });`,
);
console.log('\n| Node | `require()` from CommonJS, sharing one copy with `import` |');
console.log('|---|---|');
for (const version of ['22.12', '24', '26']) {
  const node = ['--yes', '--package', `node@${version}`, '--', 'node', '--no-warnings', 'common.cjs'];
  console.log(`| ${version} | ${cell('npx', node)} |`);
}

const command = ['agents', 'list', '--mock'];
console.log('\n| Node | `npx @confab/client agents list --mock` |');
console.log('|---|---|');
console.log(`| ${process.versions.node} | ${cell('npx', ['@confab/client', ...command])} |`);
for (const version of ['22.12', '26']) {
  const node = [
    '--yes',
    '--package',
    `node@${version}`,
    '--',
    'node',
    'node_modules/.bin/confab',
    ...command,
  ];
  console.log(`| ${version} | ${cell('npx', node)} |`);
}

process.exitCode = failed ? 1 : 0;
