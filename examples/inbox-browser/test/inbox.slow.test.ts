import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { CHROMIUM_ARGS, chromiumPath, HOW_TO_INSTALL } from './support/chromium.ts';

const root = join(import.meta.dirname, '..');

/** The built page, open in a browser with no past. */
const open = async (): Promise<{ page: Page; problems: string[] }> => {
  const scratch = await mkdtemp(join(tmpdir(), 'confab-inbox-'));
  onTestFinished(() => rm(scratch, { recursive: true, force: true }));
  const outDir = join(scratch, 'dist');
  await build({ root, logLevel: 'error', build: { outDir } });
  const server = await preview({
    root,
    logLevel: 'error',
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1' },
  });
  onTestFinished(() => server.close());
  const url = server.resolvedUrls?.local[0] ?? '';

  const context = await chromium.launchPersistentContext(join(scratch, 'profile'), {
    args: CHROMIUM_ARGS,
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      problems.push(message.text());
    }
  });
  await page.goto(url);
  await page.locator('body[data-ready]').waitFor();
  return { page, problems };
};

// Some reporters don't name what was skipped.
if (chromiumPath === undefined) {
  console.warn(`The inbox is not tested in a browser: ${HOW_TO_INSTALL}`);
}

test.skipIf(chromiumPath === undefined)(
  'an inbox in the browser lists, shows, sends and receives through setupWorker(...mock.handlers)',
  async () => {
    const { page, problems } = await open();
    const conversations = page.getByRole('list', { name: 'Conversations' }).getByRole('button');
    const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => conversations.count()).toBe(10);

    await conversations.nth(1).click();
    await expect.poll(() => messages.count()).toBeGreaterThan(0);
    const before = await messages.count();

    await page.getByRole('textbox', { name: 'Reply' }).fill('On our way!');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => messages.count()).toBe(before + 1);
    expect(await messages.last().textContent()).toBe('On our way!');
    expect(await messages.last().getAttribute('class')).toBe('outbound');

    await page.getByRole('button', { name: 'A lead writes' }).click();
    await expect.poll(() => messages.count()).toBe(before + 2);
    expect(await messages.last().textContent()).toBe('Hello, is anybody there?');
    expect(await messages.last().getAttribute('class')).toBe('inbound');
    expect(problems).toEqual([]);
  },
);
