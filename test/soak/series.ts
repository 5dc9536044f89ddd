import type { Series } from './judge.ts';
import type { Sample } from './sample.ts';
import type { Point } from './theil-sen.ts';

/** Bytes. */
export const MIB = 1_048_576;

/** The number of handles of all kinds. */
export const handlesOf = ({ server }: Sample): number =>
  Object.values(server.handles).reduce((sum, count) => sum + count, 0);

/** Each measure of a run, with the growth over the second half that is still flat. */
const MEASURES: readonly {
  readonly name: string;
  readonly unit: string;
  readonly bound: number;
  readonly needsPace?: boolean;
  readonly read: (sample: Sample) => number | undefined;
}[] = [
  {
    name: 'heap of the server after a collection',
    unit: 'MiB',
    bound: 4,
    read: ({ server }) => server.heapBytes && server.heapBytes / MIB,
  },
  { name: 'RSS of the server', unit: 'MiB', bound: 32, read: ({ server }) => server.rssBytes / MIB },
  {
    name: 'heap of the load after a collection',
    unit: 'MiB',
    bound: 4,
    read: ({ load }) => load.heapBytes && load.heapBytes / MIB,
  },
  { name: 'handles of the server', unit: '', bound: 20, read: handlesOf },
  { name: 'worlds', unit: '', bound: 20, read: ({ worlds }) => worlds },
  {
    name: 'p99 of the server',
    unit: 'ms',
    bound: 50,
    needsPace: true,
    read: ({ latency: { ours } }) => ours.p99,
  },
  {
    name: 'p99 relative to a bare server',
    unit: '×',
    bound: 2,
    read: ({ latency: { ours, bare } }) => ours.p99 / bare.p99,
  },
];

/** The measures of a run, over the millions of requests sent. */
export const seriesOf = (samples: readonly Sample[]): Series[] =>
  MEASURES.map(({ read, ...measure }) => ({
    ...measure,
    points: samples.flatMap((sample): Point[] => {
      const value = read(sample);
      return value === undefined || Number.isNaN(value) ? [] : [[sample.requests / 1e6, value]];
    }),
  }));
