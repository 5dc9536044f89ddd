import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE, readFigures, withTable } from '../fuzz/figures.ts';

test('the page shows the figures of the last runs, and counts the findings in the repository', () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toBe(withTable(page, readFigures()));
});

test('a page without its markers is refused', () => {
  expect(() => withTable('# Fuzzing\n', readFigures())).toThrow('has lost its markers');
});
