import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { folder } from '../support/command.ts';

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { message: string }[] }[];
    }[];
  }[];
}

/** What the errors of each test that has some say: their last lines, after the usual first one. */
const errorsIn = ({ suites = [], specs = [] }: Partial<Suite>): Record<string, string[]> =>
  Object.assign(
    {},
    ...suites.map(errorsIn),
    ...specs.map(({ title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      // What follows an empty line is the source and the stack.
      const lines = errors.flatMap(({ message }) => message.split('\n\n')[0]?.split('\n').slice(-1) ?? []);
      return lines.length > 0 && { [title]: lines.map((line) => line.trim()) };
    }),
  );

test.skipIf(chromiumPath === undefined)('the specs of Playwright pass', { timeout: 180_000 }, () => {
  const cli = join(createRequire(import.meta.url).resolve('@playwright/test/package.json'), '../cli.js');
  const config = join(import.meta.dirname, 'playwright.config.ts');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [cli, 'test', '--config', config, '--reporter', 'json', '--output', folder()],
    {
      encoding: 'utf8',
      timeout: 170_000,
      env: { ...process.env, NODE_OPTIONS: '--conditions=@confab/source' },
    },
  );
  expect(status, stdout + stderr).toBe(0);
  const report = JSON.parse(stdout);
  expect(report.stats.expected).toBeGreaterThan(10);
  expect(errorsIn(report)).toEqual({
    'because of a path that no operation has': [
      'No operation at GET /api/v2/public/lead. Did you mean GET /api/v2/public/leads?',
    ],
    'because of a fault that was never used': [`faults.once('leads.list', {"status":503}) was never used`],
    'because of a page whose context is not routed': [
      'GET https://api.confab.test/api/v2/public/leads was refused: its context is not routed. Call routeMock(context, mock), or use the fixtures `context` and `page`',
    ],
    'because of a page that calls another base URL': [
      "GET https://api.real.test/api/v2/public/leads was refused: mock.baseUrl is https://api.confab.test. Set `baseUrl: 'https://api.real.test'` in `mockOptions`",
    ],
    'and its first error stays the only one': ['Error: the first error'],
  });
});
