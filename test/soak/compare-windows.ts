/** The measures, with the growth between the two windows up to which each counts as flat. */
const BOUNDS = {
  'heap of the server, MiB': 4,
  'RSS of the server, MiB': 32,
  'heap of the load, MiB': 4,
  'handles of the server': 20,
  worlds: 20,
  'p99 relative to a bare server': 2,
} as const;

type Name = keyof typeof BOUNDS;

/** All measures at one moment. */
export type Sample = Readonly<Record<Name, number>>;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * Compares the last fifth of a run with the one in its middle. Before that, logs and caches fill up, and V8 compiles the
 * code.
 */
export const compareWindows = (samples: readonly Sample[]) => {
  const fifth = Math.floor(samples.length / 5);
  return Object.entries(BOUNDS).map(([name, bound]) => {
    const values = samples.map((sample) => sample[name as Name]);
    const [first, last] = [median(values.slice(2 * fifth, 3 * fifth)), median(values.slice(-fifth))];
    // Negated, so that a measure without values is not flat.
    return { name, bound, first, last, growth: last - first, grows: !(last - first <= bound) };
  });
};
