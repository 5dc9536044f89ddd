import { expect, test } from 'vitest';
import type { Results } from '../../scripts/bench/report.ts';
import { replaceTables, toMarkdown } from '../../scripts/bench/tables.ts';
import { list, read } from '../.vitepress/content/repository.ts';
import { figureOf } from '../.vitepress/theme/comparisons.ts';

const results = list('docs/benchmarks/*.json');

const resultsOf = (path: string) => JSON.parse(read(path)) as Results;

test.for(results)('the page beside %s has the same tables', (path) => {
  const { tables } = resultsOf(path);
  const page = read(path.replace(/json$/, 'md'));
  expect(tables.length).toBeGreaterThan(3);
  for (const table of tables) {
    expect(page).toContain(`\n\n${toMarkdown(table)}\n`);
  }
});

test.for(results)('docs/benchmarks.md has the floors of %s', (path) => {
  const { floors } = resultsOf(path);
  expect(floors.rows.length).toBeGreaterThan(10);
  expect(read('docs/benchmarks.md')).toContain(`\n\n${toMarkdown(floors)}\n`);
});

const figure = (name: string, ...place: [head: string, row: string, column: string]): number =>
  figureOf(resultsOf(`docs/benchmarks/${name}.json`), ...place);

test('the comparison in docs/benchmarks.md has the figures of the benchmarks, rounded', () => {
  const call = (row: string) => figure('client', '`leads.get`, on a canned `fetch`', row, 'µs').toFixed(0);
  const size = (row: string) => figure('client', 'Bundle, min+gz', row, 'kB').toFixed(0);
  const refused = (head: string, row: string) => figure('client', head, row, '429s');
  const job = '1,500 calls, 50 workers, 300 per window';
  const learned = refused(job, "@confab/client, `'learn'`, a window of 60 s");
  const fleet = '1,500 calls, 4 processes with 50 workers each, 300 per window, one Redis';
  const list = (row: string) =>
    (figure('client', '10,000 rows, 100 per page, 20 ms per response', row, 'ms') / 1_000).toFixed(1);
  const rate = (row: string) =>
    figure('webhooks', 'Verify and parse, body as text', row, 'relative to standardwebhooks').toFixed(1);
  const mixed = figure(
    'mock',
    'In-process, 1,000 leads',
    'all four, in turns',
    'mock.fetch relative to msw',
  ).toFixed(1);

  expect(refused(job, '@confab/client, `rateLimit` given')).toBe(0);
  expect(refused(fleet, '@confab/client, `redisRateLimit`')).toBe(0);
  const page = read('docs/benchmarks.md');
  for (const row of [
    `${call('@confab/client')} µs | ky ${call('ky')}, openai ${call('openai')}, stripe ${call('stripe')} |`,
    `${size('@confab/client')} kB | openai ${size('openai')}, stripe ${size('stripe')}, octokit ${size('octokit')} |`,
    `none with the limit in \`rateLimit\`, ${learned} with the default \`'learn'\` | ky ${refused(job, 'ky')}, openai ${refused(job, 'openai')}; stripe fails ${refused(job, 'stripe').toLocaleString('en')} calls. They have no option for a limit |`,
    `none | ky in bottleneck, ${refused(fleet, 'ky in bottleneck, clustered on Redis').toLocaleString('en')} |`,
    `${list('@confab/client, `.all({ concurrency: 8 })`')} s, eight pages at once | openai ${list('openai, `for await`')} s, stripe ${list('stripe, `for await`')} s, one page at a time |`,
    `${rate('@confab/webhooks')} × its rate | svix ${rate('svix')} ×, stripe ${rate('stripe')} × |`,
    `${mixed} × its rate | |`,
  ]) {
    expect(page).toContain(`| ${row}\n`);
  }
});

test('each package has results of benchmarks', () => {
  expect(results).toEqual(['client', 'mock', 'webhooks'].map((name) => `docs/benchmarks/${name}.json`));
});

test('replaceTables() replaces only the table with the same head', () => {
  const page =
    '# Sizes\n\n| Bundle | kB |\n|---|---:|\n| ours | 9 |\n| theirs | 8 |\n\n| Bundle | MB |\n|---|---:|\n';
  expect(replaceTables(page, [{ columns: ['Bundle', 'kB'], rows: [['ours', '7']] }])).toBe(
    '# Sizes\n\n| Bundle | kB |\n|---|---:|\n| ours | 7 |\n\n| Bundle | MB |\n|---|---:|\n',
  );
});

test('replaceTables() throws if the page has no table for some results', () => {
  expect(() => replaceTables('# Sizes\n', [{ columns: ['Bundle', 'kB'], rows: [] }])).toThrow(
    'The page has no table with the head | Bundle | kB |.',
  );
});
