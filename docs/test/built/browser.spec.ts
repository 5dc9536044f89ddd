import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { GUIDES } from '../../guides.ts';
import { violationsOf, withSite } from '../support/browser.ts';

const open = withSite();

const PAGES = [
  '',
  'guides/testing',
  'reference/client/functions/createClient',
  'benchmarks/webhooks',
  'decisions/',
];

/** Finds the names of the guides that an element links to. */
const guidesIn = (element: Locator): Promise<string[]> =>
  element
    .getByRole('link')
    .evaluateAll((links) =>
      links.flatMap((link) => /\/guides\/([\w-]+)/.exec(link.getAttribute('href') ?? '')?.[1] ?? []),
    );

test.for([
  ['Get started', 'Getting started'],
  ['Guides', 'Guides'],
  ['Reference', 'Reference'],
  ['Benchmarks', 'Benchmarks'],
  ['Decisions', 'Decisions'],
  ['Changelog', 'Changelog'],
])('the link "%s" in the navigation leads to the page "%s"', async ([link = '', heading = '']) => {
  const { page, problems } = await open('');
  await page
    .getByRole('navigation', { name: 'Main Navigation' })
    .getByRole('link', { name: link, exact: true })
    .click();
  await page.locator('main h1', { hasText: heading }).waitFor();
  expect(problems).toEqual([]);
});

test('the sidebar lists every guide', async () => {
  const { page } = await open('guides/');
  const sidebar = page.getByRole('navigation', { name: 'Sidebar Navigation' });
  await sidebar.getByRole('link', { name: 'Receive webhooks' }).click();
  await page.locator('main h1', { hasText: 'Receive webhooks' }).waitFor();
  expect(await guidesIn(sidebar)).toEqual(expect.arrayContaining(Object.values(GUIDES).flat()));
  await sidebar.getByRole('link', { name: 'Pagination' }).click();
  await page.locator('main h1', { hasText: 'Pagination' }).waitFor();
});

test.for<[query: string, rank: number, page: RegExp]>([
  ['retry', 1, /\/guides\/retries-and-rate-limits(?:#|$)/],
  ['timeout', 1, /\/guides\/retries-and-rate-limits#timeouts/],
  ['idempotency', 1, /\/guides\/retries-and-rate-limits#idempotency/],
  ['upsert', 1, /\/guides\/leads#create-or-find/],
  ['custom endpoint', 1, /\/guides\/custom-requests#custom-endpoints/],
  ['logging', 1, /\/guides\/logging#logging/],
  ['docker', 1, /\/guides\/mock-server#docker/],
  ['CORS', 1, /\/guides\/mock-server#cors/],
  ['429', 1, /\/guides\/retries-and-rate-limits(?:#|$)/],
  ['createClient', 1, /\/reference\/client\/functions\/createClient(?:#|$)/],
  ['fail one lead', 3, /\/guides\/testing-faults/],
  ['slow response', 3, /\/guides\/testing-faults/],
  ['github actions', 3, /\/guides\/ci(?:#|$)/],
  ['react query', 3, /\/guides\/react(?:#|$)/],
  ['sync', 3, /\/guides\/keep-a-copy/],
  ['nightly', 3, /\/guides\/(?:keep-a-copy|ci)/],
  ['postgres', 3, /\/guides\/(?:postgres-inbox|failed-deliveries|keep-a-copy)/],
  ['import csv', 3, /\/guides\/(?:leads#a-csv-file|command-line#import)/],
  ['multi tenant', 3, /\/guides\/several-tenants/],
  ['queue', 3, /\/guides\/(?:queues-and-deduplication|failed-deliveries)/],
  ['deduplication', 3, /\/guides\/queues-and-deduplication/],
])('a search for %s finds the right page among the first %i results', async ([query, rank, expected]) => {
  const { page, foreign } = await open('');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill(query);
  const results = page.getByRole('listbox').getByRole('link');
  await results.first().waitFor();
  const addresses = await results.evaluateAll((links) =>
    links.map((link) => link.getAttribute('href')?.replace('.html', '') ?? ''),
  );
  const found = addresses.slice(0, rank).findIndex((address) => expected.test(address));
  expect(found, addresses.slice(0, 3).join('\n')).toBeGreaterThanOrEqual(0);
  await results.nth(found).click();
  await page.waitForURL(expected);
  expect(foreign).toEqual([]);
});

test('hovering a name in the code of the landing page shows its type', async () => {
  const { page } = await open('');
  const name = page.locator('.twoslash-hover', { hasText: /createClient$/ }).last();
  await name.hover();
  const type = name.locator('.twoslash-popup-container');
  await expect.poll(() => type.isVisible()).toBe(true);
  expect(await type.textContent()).toBe(
    'function createClient(options?: ClientOptions): ConfabCreates a client of the API. All its calls share one limiter, so create one client per API key and keep it.',
  );
});

test.for([1100, 1440])(
  'at %i px, the code blocks of the landing page do not cut off the types that they show',
  async (width) => {
    const { page } = await open('', { viewport: { width, height: 900 } });
    const names = page.locator('.twoslash-hover');
    for (const name of [names.first(), names.last()]) {
      await name.hover();
      const type = name.locator('.twoslash-popup-container');
      await expect.poll(() => type.isVisible()).toBe(true);
      const isOnTop = await type.evaluate((element) => {
        const { left, right, bottom } = element.getBoundingClientRect();
        return [left + 12, right - 12].map((x) => element.contains(document.elementFromPoint(x, bottom - 8)));
      });
      expect(isOnTop).toEqual([true, true]);
    }
  },
);

test('the charts on the landing page show the figures of the benchmarks', async () => {
  const { page } = await open('');
  const charts = page.locator('.benchmark-chart svg');
  expect(await charts.count()).toBe(4);
  expect(await charts.first().getAttribute('aria-label')).toMatch(
    /@confab\/client 0, ky \d+, openai \d+, stripe [\d,]+\.$/,
  );
});

test.for(PAGES)('axe finds nothing on /%s, in light, and in dark on a phone', async (path) => {
  const { page } = await open(path, { colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark').waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test.for(PAGES)(
  '/%s does not scroll sideways at any width, and requests nothing from elsewhere',
  async (path) => {
    const { page, problems, foreign } = await open(path);
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(
        width,
      );
    }
    expect(problems).toEqual([]);
    expect(foreign).toEqual([]);
  },
);

test('an unknown address shows the page for 404', async () => {
  const { page } = await open('no/such/page');
  await page.getByText('404', { exact: true }).waitFor();
});
