import { expect, test } from 'vitest';
import type { Sample } from './compare-windows.ts';
import { compareWindows } from './compare-windows.ts';

/** Returns the measures that grow in a run whose samples a function of the time, from 0 to 1, returns. */
const grown = (read: (name: string, time: number) => number): string[] => {
  const names = compareWindows([]).map(({ name }) => name);
  const samples = Array.from({ length: 20 }, (_, index) =>
    Object.fromEntries(names.map((name) => [name, read(name, index / 20)])),
  );
  return compareWindows(samples as Sample[])
    .filter(({ grows }) => grows)
    .map(({ name }) => name);
};

test('compareWindows() ignores growth during the warm-up, and for a moment', () => {
  expect(grown((_, time) => (time < 0.4 ? 10 : time === 0.9 ? 500 : 50))).toEqual([]);
});

test.for(compareWindows([]))(
  'compareWindows() notices growth and missing values: $name',
  ({ name, bound }) => {
    expect(grown((one, time) => (one === name ? 3 * bound * time : 50))).toEqual([name]);
    expect(grown((one) => (one === name ? Number.NaN : 50))).toEqual([name]);
  },
);
