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
  expect(JSON.parse(stdout).stats.expected).toBeGreaterThan(10);
});
