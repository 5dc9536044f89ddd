/** A measurement at some moment. */
export type Point = readonly [at: number, value: number];

/** How a value changes, per unit of the first coordinate. */
export interface Slope {
  /** The median of the slopes between all pairs of points. A few outliers do not move it. */
  readonly estimate: number;
  /** The 95 % confidence interval of the slope. */
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959964;

/** With fewer points, the interval says nothing. */
export const FEWEST = 6;

const compare = (a: number, b: number): number => a - b;

/** The middle value, or the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted(compare);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
};

/**
 * Estimates a slope by Theil and Sen, with the confidence interval that Kendall's statistic yields (Sen 1968).
 *
 * @throws Error When there are fewer than six points.
 */
export const theilSen = (points: readonly Point[]): Slope => {
  const count = points.length;
  if (count < FEWEST) {
    throw new Error(`A slope needs at least ${FEWEST} points, got ${count}`);
  }
  const slopes: number[] = [];
  for (const [index, [at, value]] of points.entries()) {
    for (const [later, next] of points.slice(index + 1)) {
      if (later !== at) {
        slopes.push((next - value) / (later - at));
      }
    }
  }
  slopes.sort(compare);
  const spread = Z * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const at = (rank: number): number =>
    slopes[Math.min(Math.max(Math.round(rank), 0), slopes.length - 1)] ?? Number.NaN;
  return {
    estimate: median(slopes),
    low: at((slopes.length - spread) / 2 - 1),
    high: at((slopes.length + spread) / 2),
  };
};
