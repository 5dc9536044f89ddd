import { expect, test } from 'vitest';
import type { Table } from '../../scripts/bench/tables.ts';
import { replaceTables, toMarkdown } from '../../scripts/bench/tables.ts';
import { list, read } from './support/repository.ts';

const results = list('docs/benchmarks/*.json');

test.for(results)('the page of %s has its figures', (path) => {
  const { tables } = JSON.parse(read(path)) as { tables: readonly Table[] };
  const page = read(path.replace(/json$/, 'md'));
  expect(tables.length).toBeGreaterThan(3);
  for (const table of tables) {
    expect(page).toContain(`\n\n${toMarkdown(table)}\n`);
  }
});

test('each package has results', () => {
  expect(results).toEqual(['client', 'mock', 'webhooks'].map((name) => `docs/benchmarks/${name}.json`));
});

test('new results replace the table with the same head, and nothing else', () => {
  const page =
    '# Sizes\n\n| Bundle | kB |\n|---|---:|\n| ours | 9 |\n| theirs | 8 |\n\n| Bundle | MB |\n|---|---:|\n';
  expect(replaceTables(page, [{ columns: ['Bundle', 'kB'], rows: [['ours', '7']] }])).toBe(
    '# Sizes\n\n| Bundle | kB |\n|---|---:|\n| ours | 7 |\n\n| Bundle | MB |\n|---|---:|\n',
  );
});

test('results without a table on the page are an error, not lost', () => {
  expect(() => replaceTables('# Sizes\n', [{ columns: ['Bundle', 'kB'], rows: [] }])).toThrow(
    'The page has no table with the head | Bundle | kB |.',
  );
});
