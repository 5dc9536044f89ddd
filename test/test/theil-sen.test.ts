import { expect, test } from 'vitest';
import { judge, judgeAll, leftHandles, secondHalf } from '../soak/judge.ts';
import type { Point } from '../soak/theil-sen.ts';
import { median, theilSen } from '../soak/theil-sen.ts';

/** Numbers between -1 and 1 that look random, the same in every run. */
const noise = (index: number): number => Math.sin(index * 12.9898) * Math.cos(index * 78.233);

const line = (length: number, valueAt: (index: number) => number): Point[] =>
  Array.from({ length }, (_, index) => [index, valueAt(index)]);

const series = (points: readonly Point[]) => ({ name: 'heap', unit: 'MiB', points, bound: 4 });

test('the slope of a straight line is exact', () => {
  expect(theilSen(line(20, (at) => 3 + 2 * at))).toEqual({ estimate: 2, low: 2, high: 2 });
});

test('outliers do not move the slope', () => {
  const { estimate } = theilSen(line(60, (at) => at * 0.5 + (at % 10 === 3 ? 1_000 : 0)));
  expect(estimate).toBeCloseTo(0.5, 1);
});

test('the interval of mere noise contains 0, and that of a trend in noise does not', () => {
  const flat = theilSen(line(100, (at) => 50 + 5 * noise(at)));
  expect(flat.low).toBeLessThan(0);
  expect(flat.high).toBeGreaterThan(0);
  expect(theilSen(line(100, (at) => 50 + 5 * noise(at) + 0.1 * at)).low).toBeGreaterThan(0);
});

test('the interval of six points runs from the second to the fourteenth of their fifteen slopes', () => {
  const points: Point[] = [
    [0, 0],
    [1, 2],
    [2, 1],
    [3, 4],
    [4, 3],
    [5, 6],
  ];
  const { estimate, low, high } = theilSen(points);
  expect(estimate).toBe(1);
  expect([low, high]).toEqual([-1, 3]);
});

test('too few points are an error', () => {
  expect(() => theilSen(line(5, (at) => at))).toThrow('A slope needs at least 6 points, got 5');
});

test('the median of an even number of values is between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

test('only the second half of a run counts', () => {
  expect(
    secondHalf([
      [0, 1],
      [4, 2],
      [5, 3],
      [10, 4],
    ]),
  ).toEqual([
    [5, 3],
    [10, 4],
  ]);
  expect(judge(series(line(100, (at) => Math.min(at, 40)))).flat).toBe(true);
});

test('a measure grows if it does so by more than the bound, and more than by chance', () => {
  const grows = judge(series(line(100, (at) => 50 + 3 * noise(at) + 0.2 * at)));
  expect(grows.flat).toBe(false);
  expect(grows.growth.estimate).toBeGreaterThan(8);
  expect(judge(series(line(100, (at) => 50 + 3 * noise(at) + 0.01 * at))).flat).toBe(true);
  // A steep estimate from a few wild values.
  expect(judge(series(line(16, (at) => 50 + 60 * noise(at)))).flat).toBe(true);
});

test('a run that is too short has one fault, and no judgments', () => {
  const long = series(line(100, (at) => at));
  expect(judgeAll([long, series(line(10, (at) => at))], true)).toEqual({
    judgments: [],
    faults: [
      'The run ended too early to judge: it took 5 measurements in its second half, and needs 6. Send more requests, or run for longer.',
    ],
  });
  const { judgments, faults } = judgeAll([long, { ...series(line(100, () => 1)), name: 'worlds' }], true);
  expect(judgments.map(({ flat }) => flat)).toEqual([false, true]);
  expect(faults).toEqual(['It grows: heap.']);
});

test('a run that missed its pace is not blamed for the latency of a busy machine', () => {
  const latency = { ...series(line(100, (at) => at)), name: 'p99', needsPace: true };
  const flat = series(line(100, () => 1));
  expect(judgeAll([latency, flat], true).faults).toEqual(['It grows: p99.']);
  expect(judgeAll([latency, flat], false)).toMatchObject({ judgments: [{ series: flat }], faults: [] });
});

test('a measure that falls is flat', () => {
  expect(judge(series(line(100, (at) => 500 - at))).flat).toBe(true);
});

test('handles that are left are named, with their numbers', () => {
  expect(leftHandles({ PipeWrap: 1, Timeout: 2 }, { PipeWrap: 1, Timeout: 5, TCPSocketWrap: 3 })).toEqual([
    'Timeout: 5 instead of 2',
    'TCPSocketWrap: 3 instead of 0',
  ]);
});
