import { cpus } from 'node:os';
import type { Table } from '../../scripts/bench/tables.ts';
import type { Line } from '../plot/plot.ts';
import { thin } from '../plot/scale.ts';
import type { Judgment } from './judge.ts';
import type { SoakRun } from './run.ts';
import type { Sample } from './sample.ts';
import { handlesOf, MIB } from './series.ts';

/** The results of a run, for the page and the plot. */
export interface Results {
  readonly machine: string;
  readonly tables: readonly Table[];
  /** Over the minutes of the run, with about 200 points each. */
  readonly lines: Readonly<Record<'memory' | 'handles' | 'latency', readonly Line[]>>;
}

const POINTS = 200;

const rounded = (value: number): number => Number(value.toFixed(2));

const lineOf = (
  name: string,
  samples: readonly Sample[],
  read: (sample: Sample) => number | undefined,
): Line => {
  const points = samples.flatMap((sample): [number, number][] => {
    const value = read(sample);
    return value === undefined || Number.isNaN(value) ? [] : [[rounded(sample.seconds / 60), rounded(value)]];
  });
  return { name, points: thin(points, POINTS) };
};

const figure = (value: number, unit: string): string =>
  `${value.toLocaleString('en', { maximumFractionDigits: 1 })}${unit === '' ? '' : ` ${unit}`}`;

/** The growth of each measure. */
export const growthTable = (judgments: readonly Judgment[]): Table => ({
  columns: ['Second half of the run', 'median', 'growth', '95 % interval', 'flat up to'],
  rows: judgments.map(({ series: { name, unit, bound }, middle, growth: { estimate, low, high } }) => [
    name,
    figure(middle, unit),
    figure(estimate, unit),
    `${figure(low, unit)} to ${figure(high, unit)}`,
    figure(bound, unit),
  ]),
});

/** What was done in a run. */
export const outcomeTable = ({ samples, requests, outcomes, deliveries, failures }: SoakRun): Table => {
  const counts: (readonly [string, number])[] = [
    ['requests', requests],
    ['minutes', (samples.at(-1)?.seconds ?? 0) / 60],
    ['calls that failed and should not have', failures],
    ['deliveries accepted', deliveries],
    ...[...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ];
  return {
    columns: ['Done', 'count'],
    rows: counts.map(([name, count]) => [name, figure(count, '')]),
  };
};

/** Sums up a run. */
export const resultsOf = (run: SoakRun, judgments: readonly Judgment[]): Results => {
  const { samples } = run;
  return {
    machine: `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.`,
    tables: [growthTable(judgments), outcomeTable(run)],
    lines: {
      memory: [
        lineOf('RSS', samples, ({ server }) => server.rssBytes / MIB),
        lineOf('heap', samples, ({ server }) => server.heapBytes && server.heapBytes / MIB),
        lineOf('heap of the load', samples, ({ load }) => load.heapBytes && load.heapBytes / MIB),
      ],
      handles: [lineOf('handles', samples, handlesOf), lineOf('worlds', samples, ({ worlds }) => worlds)],
      latency: [
        lineOf('p99', samples, ({ latency }) => latency.ours.p99),
        lineOf('p50', samples, ({ latency }) => latency.ours.p50),
        lineOf('p99 of the bare server', samples, ({ latency }) => latency.bare.p99),
      ],
    },
  };
};
