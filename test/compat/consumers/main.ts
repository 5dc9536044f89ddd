/**
 * Installs the tarballs into projects as users have them: compiles a program against their declarations, loads them from
 * CommonJS, runs the command of the client, and runs tests with vitest, Jest, Bun and Playwright. Prints the tables of
 * docs/compatibility.md. Exits with 1 if a cell fails. With versions of TypeScript as arguments, such as `next`, it only
 * tests the programs, with these versions.
 */
import { join } from 'node:path';
import { printTable } from '../../../scripts/bench/tables.ts';
import { cell, createProject, onNode } from '../project.ts';

const file = (name: string): URL => new URL(`files/${name}`, import.meta.url);

/** Runs a program of an installed package on the Node that runs this. */
const own = (path: string, ...args: readonly string[]): readonly string[] => [
  process.execPath,
  join('node_modules', path),
  ...args,
];

const tsconfig = (compilerOptions: object, ...files: readonly string[]): object => ({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    ...compilerOptions,
  },
  files,
});

const TYPES = { typescript: '^6.0.0', '@types/node': '^24.0.0' };

/** The settings with which users let TypeScript find modules. */
const RESOLUTIONS = [
  ['bundler', 'esnext'],
  ['nodenext', 'nodenext'],
] as const;

/** Programs that use the packages: compiled, required, and run from the command line. */
const testPrograms = (versions: readonly string[]): void => {
  const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const configs = RESOLUTIONS.map(([moduleResolution, module]) => {
    const options = { moduleResolution, module, lib, exactOptionalPropertyTypes: true, skipLibCheck: false };
    return [`${moduleResolution}.json`, tsconfig(options, 'consumer.ts', 'zod.ts')];
  });
  const compilers = versions.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]);
  const project = createProject(
    'consumer',
    { '@types/node': '^24.0.0', fastify: '^5.0.0', zod: '^4.0.0', ...Object.fromEntries(compilers) },
    {
      'consumer.ts': file('consumer.ts'),
      'zod.ts': file('zod.ts'),
      'common.cjs': file('common.cjs'),
      ...Object.fromEntries(configs),
    },
  );
  printTable(
    [
      'TypeScript',
      '`moduleResolution`',
      'compiles with `exactOptionalPropertyTypes`, without `skipLibCheck`',
    ],
    versions.flatMap((version) =>
      RESOLUTIONS.map(([resolution]) => [
        version,
        resolution,
        cell(project, own(`typescript-${version}/bin/tsc`, '-p', `${resolution}.json`)),
      ]),
    ),
  );
  const command = ['node_modules/.bin/confab', 'agents', 'list', '--mock'];
  printTable(
    ['Node', '`require()` from CommonJS, sharing one copy with `import`', '`confab agents list --mock`'],
    ['22.12', '24', '26'].map((version) => [
      version,
      cell(project, onNode(version, '--no-warnings', 'common.cjs')),
      cell(project, onNode(version, ...command)),
    ]),
  );
  console.log(
    'Contract schemas within those of your own copy of zod:',
    cell(project, [process.execPath, 'zod.ts']),
  );
};

const testVitest = (version: string): string[] => {
  const project = createProject(
    `vitest-${version}`,
    { ...TYPES, vitest: `^${version}.0.0`, jsdom: '^31.0.0', 'happy-dom': '^21.0.0' },
    {
      'fixture.test.ts': file('vitest-fixture.ts'),
      'msw.test.ts': file('vitest-msw.ts'),
      'tsconfig.json': tsconfig({}, 'fixture.test.ts', 'msw.test.ts'),
    },
  );
  const environments = ['node', 'jsdom', 'happy-dom'].map((environment) =>
    cell(project, own('vitest/vitest.mjs', 'run', '--environment', environment)),
  );
  return [version, ...environments, cell(project, own('typescript/bin/tsc'))];
};

/** The ways to compile a test for Jest, each in a folder of its own. The last three produce CommonJS. */
const COMPILERS = [
  ['no compiler', 'module', {}],
  ['Babel', 'commonjs', { '\\.js$': 'babel-jest' }],
  ['SWC', 'commonjs', { '\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }] }],
  [
    'ts-jest',
    'commonjs',
    { '\\.js$': ['ts-jest', { tsconfig: { allowJs: true, module: 'commonjs', target: 'es2022' } }] },
  ],
] as const;

const testJest = (): void => {
  const folders = COMPILERS.flatMap(([name, type, transform]) => [
    [`${name}/package.json`, { type }],
    [`${name}/jest.config.json`, { transform }],
    [`${name}/suite.test.js`, file('jest.test.js')],
    [`${name}/.babelrc.json`, { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }],
  ]);
  const project = createProject(
    'jest',
    {
      jest: '^30.5.0',
      'jest-environment-jsdom': '^30.5.0',
      'jest-fixed-jsdom': '^0.0.11',
      'babel-jest': '^30.5.0',
      '@babel/core': '^7.0.0',
      '@babel/preset-env': '^7.0.0',
      '@swc/core': '^1.0.0',
      '@swc/jest': '^0.2.39',
      'ts-jest': '^29.4.0',
      typescript: '^5.9.0',
      msw: '^3.0.0',
      node22: 'npm:node@22.12.0',
    },
    {
      'bare/package.json': { type: 'module' },
      'bare/jest.config.json': { transform: {} },
      'bare/bare.test.js': file('jest-bare.test.js'),
      ...Object.fromEntries(folders),
    },
  );
  const jest = (folder: string, environment: string, [node = process.execPath]: string[] = []) => {
    const args = ['--rootDir', folder, '--config', `${folder}/jest.config.json`, '--env', environment];
    const env = { NODE_OPTIONS: '--experimental-vm-modules' };
    return cell(project, [node, 'node_modules/jest/bin/jest.js', ...args], env);
  };
  const [first] = COMPILERS[0];
  printTable(
    ['Jest 30, tests compiled with', 'node', 'jest-fixed-jsdom'],
    [
      ...COMPILERS.map(([name]) => [name, jest(name, 'node'), jest(name, 'jest-fixed-jsdom')]),
      [`${first}, on Node 22.12`, jest(first, 'node', ['node_modules/node22/bin/node']), 'not tested'],
    ],
  );
  console.log(`\nImports under Jest’s own jsdom: ${jest('bare', 'jsdom')}`);
};

const testOthers = (): void => {
  const project = createProject(
    'bun-and-playwright',
    {
      ...TYPES,
      bun: '^1.4.0',
      '@types/bun': '^1.3.0',
      '@playwright/test': '^1.65.0',
      '@types/jest': '^30.0.0',
      '@jest/globals': '^30.5.0',
    },
    {
      'bun/suite.test.ts': file('bun.ts'),
      'bun/timers.test.ts': file('bun-timers.ts'),
      'bun/matchers.ts': file('bun-matchers.ts'),
      'bun/tsconfig.json': tsconfig({ types: ['bun'] }, 'suite.test.ts', 'timers.test.ts', 'matchers.ts'),
      'playwright/suite.spec.ts': file('playwright.spec.ts'),
      'playwright/playwright.config.ts': file('playwright.config.ts'),
      'playwright/tsconfig.json': tsconfig({}, 'suite.spec.ts', 'playwright.config.ts'),
      'jest/types.ts': file('jest-types.ts'),
      'jest/globals.ts': file('jest-globals.ts'),
      'jest/matchers.ts': file('jest-matchers.ts'),
      'jest/tsconfig.json': tsconfig({ types: ['jest', 'node'] }, 'types.ts', 'globals.ts', 'matchers.ts'),
    },
  );
  const types = (folder: string) => cell(project, own('typescript/bin/tsc', '-p', folder));
  const playwright = own('@playwright/test/cli.js', 'test', '--config', 'playwright');
  printTable(
    ['', 'tests', 'types'],
    [
      ['Bun', cell(project, ['node_modules/.bin/bun', 'test', './bun']), types('bun')],
      ['Playwright, in Chromium', cell(project, playwright), types('playwright')],
      ['Jest, the matchers', 'above', types('jest')],
    ],
  );
};

const given = process.argv.slice(2);
if (given.length > 0) {
  testPrograms(given);
} else {
  testPrograms(['5.9', '6', '7']);
  printTable(['vitest', 'node', 'jsdom', 'happy-dom', 'types'], ['4', '5'].map(testVitest));
  testJest();
  testOthers();
}
