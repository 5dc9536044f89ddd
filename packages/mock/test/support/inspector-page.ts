import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { listen } from '../../src/server/serve.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { chromiumPath } from './browser.ts';

/** Builds the inspector once for a file of tests, and starts a browser for them. */
export const withInspector = () => {
  let built = '';
  let browser: Browser | undefined;
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'confab-inspector-'));
    const root = join(import.meta.dirname, '../../inspector');
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: built, emptyOutDir: true },
    });
    browser = await chromium.launch({
      args: ['--no-sandbox', '--disable-gpu'],
      ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(built, { recursive: true, force: true });
  });

  return async (
    mock: Mock,
    options: BrowserContextOptions & { serve?: ServeOptions; path?: string } = {},
  ) => {
    const { serve = {}, path = '', ...context } = options;
    const server = await listen(mock, { ...serve, inspectorFolder: built });
    const page = await (browser as Browser).newPage(context);
    onTestFinished(async () => {
      await page.close();
      await mock.close();
    });
    const problems: string[] = [];
    const foreign: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        problems.push(message.text());
      }
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== server.url) {
        foreign.push(request.url());
      }
    });
    await page.goto(`${server.url}/__mock/${path}`);
    return { page, problems, foreign, server };
  };
};

/** Opens a view by its link, and waits until it has loaded. */
export const openView = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click();
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => document.querySelector('main .loading') === null);
};

/** What axe finds wrong with a page. */
export const violationsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
};
