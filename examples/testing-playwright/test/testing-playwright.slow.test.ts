import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const hasChromium = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium'].some(existsSync);

test.skipIf(!hasChromium)(
  'the tests of the example pass under Playwright',
  { timeout: 180_000 },
  async () => {
    const results = mkdtempSync(join(tmpdir(), 'confab-playwright-'));
    onTestFinished(() => rmSync(results, { recursive: true, force: true }));
    const { resolve } = createRequire(import.meta.url);
    const cli = join(dirname(resolve('@playwright/test/package.json')), 'cli.js');
    // The command is that of `pnpm test` in this package.
    const child = spawn(process.execPath, [cli, 'test', '--reporter', 'line', '--output', results], {
      cwd: join(import.meta.dirname, '..'),
      env: { ...process.env, NODE_OPTIONS: '--conditions=@confab/source' },
    });
    onTestFinished(() => void child.kill());
    const exited = once(child, 'exit');
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = await exited;
    expect(status, output + errors).toBe(0);
    expect(output).toMatch(/\b2 passed\b/);
  },
);
