import { expect, test } from 'vitest';
import { readFigures, withTable } from '../fuzz/figures.ts';

test('a page without its markers is refused', () => {
  expect(() => withTable('# Fuzzing\n', readFigures())).toThrow('has lost its markers');
});
