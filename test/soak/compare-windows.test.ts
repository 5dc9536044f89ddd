import { expect, test } from 'vitest';
import type { Sample } from './compare-windows.ts';
import { compareWindows } from './compare-windows.ts';

/** The measures that grow in a run in which each of them is what a function of the time, from 0 to 1, returns. */
const grown = (read: (name: string, at: number) => number): string[] => {
  const names = compareWindows([]).map(({ name }) => name);
  const samples = Array.from({ length: 20 }, (_, index) =>
    Object.fromEntries(names.map((name) => [name, read(name, index / 20)])),
  );
  return compareWindows(samples as Sample[])
    .filter(({ grows }) => grows)
    .map(({ name }) => name);
};

test('a run that grows only during its warm-up, or for a moment, counts as flat', () => {
  expect(grown((_, at) => (at < 0.4 ? 10 : at === 0.9 ? 500 : 50))).toEqual([]);
});

test.for(compareWindows([]))('growth and missing values are noticed: $name', ({ name, bound }) => {
  expect(grown((one, at) => (one === name ? 3 * bound * at : 50))).toEqual([name]);
  expect(grown((one) => (one === name ? Number.NaN : 50))).toEqual([name]);
});
