import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { listen } from '../../src/server/serve.ts';
import type { ServeOptions } from '../../src/server/serve-options.ts';
import { chromiumPath } from './browser.ts';

/** The actions of a person at a page. */
const personAt = (page: Page) => ({
  press: async (...names: (string | RegExp)[]) => {
    for (const name of names) {
      await page
        .getByRole('button', { name, exact: typeof name === 'string' })
        .first()
        .click();
    }
  },
  fill: async (texts: Readonly<Record<string, string>>) => {
    for (const [label, text] of Object.entries(texts)) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
  },
  choose: async (choices: Readonly<Record<string, string>>) => {
    for (const [label, option] of Object.entries(choices)) {
      await page.getByLabel(label).selectOption(option);
    }
  },
  see: (text: string | RegExp) => page.getByText(text).first().waitFor(),
  alerted: (text: string) =>
    expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining(text)),
  rows: (count: number) => expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(count),
});

/** Builds the inspector once for a file of tests, and starts a browser for them. */
export const withInspector = () => {
  let built = '';
  let browser: Browser | undefined;
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'confab-inspector-'));
    const configFile = join(import.meta.dirname, '../../inspector/vite.config.ts');
    await build({ configFile, logLevel: 'error', build: { outDir: built, emptyOutDir: true } });
    const args = ['--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ args, executablePath: chromiumPath ?? '' });
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
    return { page, problems, foreign, server, ...personAt(page) };
  };
};

/** Opens a view by its link, and waits until it has loaded. */
export const openView = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click();
  await page.locator('main h1').waitFor();
  await page.waitForFunction(() => document.querySelector('main .loading') === null);
};

/** Resolves to the violations that axe finds in a page. */
export const violationsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
};
