import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { folder } from '../support/command.ts';

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
  const messages = new Set<string>();
  const report = JSON.parse(stdout, (name, value) => {
    if (name === 'message') {
      // The source and the stack follow after an empty line.
      messages.add(value.split('\n\n')[0].split('\n').at(-1).trim());
    }
    return value;
  });
  expect(report.stats.expected).toBeGreaterThan(10);
  // The messages of the tests that must fail.
  expect([...messages]).toEqual([
    'No operation at GET /api/v2/public/lead. Did you mean GET /api/v2/public/leads?',
    `faults.once('leads.list', {"status":503}) was never used`,
    'GET https://api.confab.test/api/v2/public/leads was refused: its context is not routed. Call routeMock(context, mock), or use the fixtures `context` and `page`',
    "GET https://api.real.test/api/v2/public/leads was refused: mock.baseUrl is https://api.confab.test. Set `baseUrl: 'https://api.real.test'` in `mockOptions`",
    'Error: the first error',
  ]);
});
