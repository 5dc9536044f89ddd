import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '@confab/internal/test-support';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { onTestFinished } from 'vitest';

/** Builds the page in a folder, and opens it in a new browser. */
export const openBuiltPage = async (root: string): Promise<{ page: Page; problems: string[] }> => {
  const outDir = await mkdtemp(join(tmpdir(), 'confab-page-'));
  onTestFinished(() => rm(outDir, { recursive: true }));
  const options = {
    root,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    preview: { port: 0, host: '127.0.0.1' },
  } as const;
  await build(options);
  const server = await preview(options);
  onTestFinished(() => server.close());
  // The sandbox of the system's Chromium does not start in containers.
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  return { page, problems };
};
