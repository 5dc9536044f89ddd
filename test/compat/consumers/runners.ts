/**
 * Installs the tarballs into projects that test with vitest, Jest, Bun and Playwright, as users have them, and runs their
 * tests.
 * Prints the matrix as Markdown; exits 1 when a cell fails.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PACKAGES, pack, run } from './pack.ts';

const tarballs = Object.fromEntries(PACKAGES.map((name) => [`@confab/${name}`, `file:${pack(name)}`]));

/** Makes a project with some files, each copied or given as its content, and installs what it needs. */
const project = (
  name: string,
  devDependencies: object,
  files: Record<string, URL | object | string>,
): string => {
  const folder = mkdtempSync(join(tmpdir(), `confab-${name}-`));
  const manifest = {
    name,
    private: true,
    type: 'module',
    dependencies: tarballs,
    overrides: tarballs,
    devDependencies,
  };
  for (const [path, content] of Object.entries({ 'package.json': manifest, ...files })) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (content instanceof URL) {
      copyFileSync(content, target);
    } else {
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }
  // Not `--force`: a version that our peer ranges refuse must fail here, as it does for users.
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  return folder;
};

const here = (name: string): URL => new URL(`./runners/${name}`, import.meta.url);

let failed = false;
const cell = (
  folder: string,
  args: string[],
  env: Record<string, string> = {},
  node = process.execPath,
): string => {
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: '1', ...env },
    timeout: 180_000,
  } as const;
  const { status, stdout, stderr } = spawnSync(node, args, options);
  if (status === 0) {
    return 'ok';
  }
  failed = true;
  console.error(`${folder}: node ${args.join(' ')}\n${stdout}${stderr}`);
  return 'FAILED';
};

/** How the tests of a project are compiled. */
const tsconfig = (types: string[], ...files: string[]): object => ({
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

console.log('| vitest | node | jsdom | happy-dom | types |\n|---|---|---|---|---|');
for (const version of ['4', '5']) {
  const folder = project(
    `vitest-${version}`,
    {
      vitest: `^${version}.0.0`,
      jsdom: '^31.0.0',
      'happy-dom': '^21.0.0',
      typescript: '^6.0.0',
      '@types/node': '^24.0.0',
    },
    {
      'fixture.test.ts': here('vitest.test.ts'),
      'msw.test.ts': here('vitest-msw.test.ts'),
      'tsconfig.json': tsconfig(['node'], 'fixture.test.ts', 'msw.test.ts'),
    },
  );
  const cells = ['node', 'jsdom', 'happy-dom'].map((environment) =>
    cell(folder, ['node_modules/vitest/vitest.mjs', 'run', '--environment', environment]),
  );
  console.log(`| ${version} | ${cells.join(' | ')} | ${cell(folder, [TSC])} |`);
}

/** A folder for each way to compile tests; the last three make CommonJS of them. */
const JEST = {
  'no compiler': { type: 'module', config: { transform: {} } },
  Babel: { type: 'commonjs', config: { transform: { '\\.js$': 'babel-jest' } } },
  SWC: {
    type: 'commonjs',
    config: { transform: { '\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }] } },
  },
  'ts-jest': {
    type: 'commonjs',
    config: {
      transform: {
        '\\.js$': ['ts-jest', { tsconfig: { allowJs: true, module: 'commonjs', target: 'es2022' } }],
      },
    },
  },
};

const compilers = Object.entries(JEST).map(([name, { type, config }], at) => ({
  name,
  type,
  config,
  path: `way-${at}`,
}));
const jest = project(
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
    'bare/jest.config.json': { transform: {} },
    'bare/package.json': { type: 'module' },
    'bare/bare.test.js': here('jest-bare.test.js'),
    ...Object.fromEntries(
      compilers.flatMap(({ type, config, path }) => [
        [`${path}/package.json`, { type }],
        [`${path}/jest.config.json`, config],
        [`${path}/suite.test.js`, here('jest.test.js')],
        [`${path}/.babelrc.json`, { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }],
      ]),
    ),
  },
);

const runJest = (path: string, environment: string, node?: string): string =>
  cell(
    jest,
    [
      'node_modules/jest/bin/jest.js',
      '--rootDir',
      path,
      '--config',
      `${path}/jest.config.json`,
      '--env',
      environment,
    ],
    {
      NODE_OPTIONS: '--experimental-vm-modules',
    },
    node,
  );

console.log('\n| Jest 30, tests compiled by | node | jest-fixed-jsdom |\n|---|---|---|');
for (const { name, path } of compilers) {
  console.log(`| ${name} | ${runJest(path, 'node')} | ${runJest(path, 'jest-fixed-jsdom')} |`);
}
console.log(
  `| no compiler, on Node 22.12 | ${runJest('way-0', 'node', 'node_modules/node22/bin/node')} | not tested |`,
);
console.log(`\nImports under Jest’s own jsdom: ${runJest('bare', 'jsdom')}`);

const others = project(
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
    'bun/suite.test.ts': here('bun.test.ts'),
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
const bun = cell(others, ['test', './bun'], {}, join(others, 'node_modules/bun/bin/bun.exe'));
const playwright = cell(others, ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright']);
const types = (name: string): string => cell(others, [TSC, '-p', name]);

console.log('\n| | tests | types |\n|---|---|---|');
console.log(`| Bun | ${bun} | ${types('bun')} |`);
console.log(`| Playwright, in Chromium | ${playwright} | ${types('playwright')} |`);
console.log(`| Jest, the matchers | above | ${types('jest')} |`);

process.exitCode = failed ? 1 : 0;
