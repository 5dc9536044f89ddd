import { join } from 'node:path';
import { cell, createProject, printHead, printRow } from '../project.ts';

const here = (name: string): URL => new URL(`files/${name}`, import.meta.url);

/** How the tests of a project are compiled. */
const tsconfig = (types: readonly string[], ...files: readonly string[]): object => ({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    types,
    strict: true,
    // vitest's own declarations do not compile under every setting.
    skipLibCheck: true,
    noEmit: true,
  },
  files,
});

const TSC = 'node_modules/typescript/bin/tsc';
const NODE = process.execPath;

const testVitest = (version: string): void => {
  const folder = createProject(
    `vitest-${version}`,
    {
      vitest: `^${version}.0.0`,
      jsdom: '^31.0.0',
      'happy-dom': '^21.0.0',
      typescript: '^6.0.0',
      '@types/node': '^24.0.0',
    },
    {
      'fixture.test.ts': here('vitest-fixture.ts'),
      'msw.test.ts': here('vitest-msw.ts'),
      'tsconfig.json': tsconfig(['node'], 'fixture.test.ts', 'msw.test.ts'),
    },
  );
  const environments = ['node', 'jsdom', 'happy-dom'].map((environment) =>
    cell(folder, NODE, ['node_modules/vitest/vitest.mjs', 'run', '--environment', environment]),
  );
  printRow(version, ...environments, cell(folder, NODE, [TSC]));
};

/** The ways to compile a test for Jest, each in a folder of its own; the last three make CommonJS of it. */
const COMPILERS = [
  { name: 'no compiler', type: 'module', transform: {} },
  { name: 'Babel', type: 'commonjs', transform: { '\\.js$': 'babel-jest' } },
  {
    name: 'SWC',
    type: 'commonjs',
    transform: { '\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }] },
  },
  {
    name: 'ts-jest',
    type: 'commonjs',
    transform: {
      '\\.js$': ['ts-jest', { tsconfig: { allowJs: true, module: 'commonjs', target: 'es2022' } }],
    },
  },
].map((compiler, at) => ({ ...compiler, folder: `compiler-${at}` }));

const testJest = (): void => {
  const folders = COMPILERS.map(({ folder, type, transform }) => [
    [`${folder}/package.json`, { type }],
    [`${folder}/jest.config.json`, { transform }],
    [`${folder}/suite.test.js`, here('jest.test.js')],
    [`${folder}/.babelrc.json`, { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }],
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
      'bare/bare.test.js': here('jest-bare.test.js'),
      ...Object.fromEntries(folders.flat()),
    },
  );
  const jest = (folder: string, environment: string, node = NODE): string => {
    const args = ['--rootDir', folder, '--config', `${folder}/jest.config.json`, '--env', environment];
    return cell(project, node, ['node_modules/jest/bin/jest.js', ...args], {
      NODE_OPTIONS: '--experimental-vm-modules',
    });
  };

  printHead('Jest 30, tests compiled with', 'node', 'jest-fixed-jsdom');
  for (const { name, folder } of COMPILERS) {
    printRow(name, jest(folder, 'node'), jest(folder, 'jest-fixed-jsdom'));
  }
  const old = jest('compiler-0', 'node', join(project, 'node_modules/node22/bin/node'));
  printRow('no compiler, on Node 22.12', old, 'not tested');
  console.log(`\nImports under Jest’s own jsdom: ${jest('bare', 'jsdom')}`);
};

const testOthers = (): void => {
  const project = createProject(
    'bun-and-playwright',
    {
      bun: '^1.4.0',
      '@types/bun': '^1.3.0',
      '@playwright/test': '^1.65.0',
      '@types/jest': '^30.0.0',
      '@jest/globals': '^30.5.0',
      typescript: '^6.0.0',
      '@types/node': '^24.0.0',
    },
    {
      'bun/suite.test.ts': here('bun.ts'),
      'bun/matchers.ts': here('bun-matchers.ts'),
      'bun/tsconfig.json': tsconfig(['bun'], 'suite.test.ts', 'matchers.ts'),
      'playwright/suite.spec.ts': here('playwright.spec.ts'),
      'playwright/playwright.config.ts': here('playwright.config.ts'),
      'playwright/tsconfig.json': tsconfig(['node'], 'suite.spec.ts', 'playwright.config.ts'),
      'jest/types.ts': here('jest-types.ts'),
      'jest/matchers.ts': here('jest-matchers.ts'),
      'jest/tsconfig.json': tsconfig(['jest', 'node'], 'types.ts', 'matchers.ts'),
    },
  );
  const types = (folder: string): string => cell(project, NODE, [TSC, '-p', folder]);
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright'];
  printHead('', 'tests', 'types');
  printRow('Bun', cell(project, 'node_modules/.bin/bun', ['test', './bun']), types('bun'));
  printRow('Playwright, in Chromium', cell(project, NODE, playwright), types('playwright'));
  printRow('Jest, the matchers', 'above', types('jest'));
};

/** Runs tests that use the packages with the test runners that users have, and prints the results as tables. */
export const testRunners = (): void => {
  printHead('vitest', 'node', 'jsdom', 'happy-dom', 'types');
  testVitest('4');
  testVitest('5');
  testJest();
  testOthers();
};
