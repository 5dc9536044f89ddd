import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '@confab/internal/test-support';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { expect, onTestFinished, test } from 'vitest';

/** The built page, open in a browser with no past. */
const open = async (): Promise<{ page: Page; problems: string[] }> => {
  const outDir = await mkdtemp(join(tmpdir(), 'confab-inbox-'));
  onTestFinished(() => rm(outDir, { recursive: true }));
  const options = {
    root: join(import.meta.dirname, '..'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    preview: { port: 0, host: '127.0.0.1' },
  } as const;
  await build(options);
  const server = await preview(options);
  onTestFinished(() => server.close());
  // The sandbox of a system's own Chromium does not start in containers.
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  return { page, problems };
};

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
