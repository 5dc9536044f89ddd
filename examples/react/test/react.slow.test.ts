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
  const outDir = await mkdtemp(join(tmpdir(), 'confab-react-'));
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
  'a React page lists leads and changes the status of one through setupWorker(...mock.handlers)',
  async () => {
    const { page, problems } = await open();
    const rows = page.getByRole('list', { name: 'Leads' }).getByRole('listitem');
    const show = page.getByRole('combobox', { name: 'Show', exact: true });
    const total = async () => Number.parseInt((await page.getByRole('status').textContent()) ?? '', 10);
    await expect.poll(() => rows.count()).toBe(10);
    const before = await total();

    const name = (await rows.first().locator('span').textContent()) ?? '';
    await rows.first().getByRole('combobox').selectOption('lost');
    await expect.poll(total).toBe(before - 1);

    await show.selectOption('lost');
    const moved = rows.filter({ hasText: name }).getByRole('combobox');
    await expect.poll(() => moved.first().inputValue()).toBe('lost');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(problems).toEqual([]);
  },
);
