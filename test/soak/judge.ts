import type { Point, Slope } from './theil-sen.ts';
import { FEWEST, median, theilSen } from './theil-sen.ts';

/** One measure over a whole run. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  /** Over the requests sent, in millions. */
  readonly points: readonly Point[];
  /** The growth over the second half of a run that counts as flat. */
  readonly bound: number;
  /** Whether it says nothing about a run that missed its pace, because it shows the machine then. */
  readonly needsPace?: boolean | undefined;
}

export interface Judgment {
  readonly series: Series;
  /** The middle value of the second half. */
  readonly middle: number;
  /** How much it grew over the second half. */
  readonly growth: Slope;
  readonly flat: boolean;
}

/** The points of the second half of a run: caches and logs have filled, and the code is compiled by then. */
export const secondHalf = (points: readonly Point[]): Point[] => {
  const last = points.at(-1)?.[0] ?? 0;
  return points.filter(([at]) => at >= last / 2);
};

/**
 * Checks that a measure does not grow in the second half of a run. It grows if the growth is above the bound, and more
 * than chance would explain: its 95 % interval lies above 0.
 */
export const judge = (series: Series): Judgment => {
  const points = secondHalf(series.points);
  const slope = theilSen(points);
  const span = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0);
  const growth = { estimate: slope.estimate * span, low: slope.low * span, high: slope.high * span };
  return {
    series,
    middle: median(points.map(([, value]) => value)),
    growth,
    flat: !(growth.estimate > series.bound && growth.low > 0),
  };
};

/**
 * Judges every measure of a run. A run that is too short for that has a fault, and no judgments.
 *
 * @param keptPace Whether all requests were sent in time.
 */
export const judgeAll = (
  all: readonly Series[],
  keptPace: boolean,
): { readonly judgments: readonly Judgment[]; readonly faults: readonly string[] } => {
  const measures = all.filter(({ needsPace }) => keptPace || !needsPace);
  const fewest = Math.min(...measures.map(({ points }) => secondHalf(points).length));
  if (fewest < FEWEST) {
    return {
      judgments: [],
      faults: [
        `The run ended too early to judge: it took ${fewest} measurements in its second half, and needs ${FEWEST}. Send more requests, or run for longer.`,
      ],
    };
  }
  const judgments = measures.map(judge);
  const grown = judgments.filter(({ flat }) => !flat);
  return { judgments, faults: grown.map(({ series }) => `It grows: ${series.name}.`) };
};

/** The kinds of handles of which there are more than before, each with both numbers. */
export const leftHandles = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): string[] =>
  Object.entries(after)
    .filter(([kind, count]) => count > (before[kind] ?? 0))
    .map(([kind, count]) => `${kind}: ${count} instead of ${before[kind] ?? 0}`);
