import { chromiumPath } from '@confab/internal/test-support';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { baseOf, DIST } from './built-site.ts';
import { serveSite } from './serve-site.ts';

export interface Opened {
  readonly page: Page;
  /** Errors of the page and its console. */
  readonly problems: readonly string[];
  /** Requests that left the site. */
  readonly foreign: readonly string[];
}

/** Serves the built site and starts a browser for a file of tests. */
export const withSite = () => {
  let browser: Browser | undefined;
  let site: Awaited<ReturnType<typeof serveSite>>;
  beforeAll(async () => {
    site = await serveSite(DIST, baseOf(DIST));
    browser = await chromium.launch({
      args: ['--no-sandbox', '--disable-gpu'],
      ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    });
  });
  afterAll(async () => {
    await browser?.close();
    site.close();
  });

  return async (
    path: string,
    options: BrowserContextOptions = {},
    until: 'test ends' | 'file ends' = 'test ends',
  ): Promise<Opened> => {
    const context = await (browser as Browser).newContext(options);
    if (until === 'test ends') {
      onTestFinished(() => context.close());
    }
    const page = await context.newPage();
    const problems: string[] = [];
    const foreign: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        problems.push(message.text());
      }
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url) && !request.url().startsWith('data:')) {
        foreign.push(request.url());
      }
    });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    return { page, problems, foreign };
  };
};

/** Returns what axe finds wrong with a page. */
export const violationsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
};
