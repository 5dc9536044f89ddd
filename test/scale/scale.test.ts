import { expect, test } from 'vitest';
import { fairShare, jain, measure, sharesOf } from './measures.ts';
import type { Process, Stage } from './simulate.ts';
import { LIMIT, simulate } from './simulate.ts';

test('Jain’s index is 1 when all have the same, and 1/n when one has everything', () => {
  expect(jain([3, 3, 3, 3])).toBe(1);
  expect(jain([8, 0, 0, 0])).toBe(0.25);
});

test('what a process does not want goes to those that want more', () => {
  expect(fairShare([1, 10, 10], 13)).toBe(6);
  expect(fairShare([1, 2, 3], 100)).toBe(3);
  const process = (served: number, wanted: number, alive = true) => ({ served, wanted, alive }) as Process;
  const processes = [process(1, 1), process(9, 50), process(3, 50), process(0, 9, false)];
  expect(sharesOf(processes)).toEqual([0.5, 1, 1.5]);
});

/** A small fleet: every process wants twice its share, at once, and asks for 100 places before the next one does. */
const crowd = ({ start }: Stage) => {
  for (let process = 0; process < 200; process += 1) {
    const { call } = start(100);
    Array.from({ length: (2 * LIMIT.requests) / 200 }, call);
  }
};
const play = async (line: boolean) =>
  measure(await simulate({ name: 'crowd', seconds: 20, line, play: crowd }, 0.02));

test('a simulated fleet keeps to the limit, uses all of it, and shares it fairly', async () => {
  const { use, fullest, fairness, least } = await play(true);
  expect(fullest).toBeLessThanOrEqual(1);
  expect(use).toBeGreaterThan(0.95);
  expect(fairness).toBeGreaterThan(0.9);
  expect(least).toBeGreaterThan(0.5);
});

test('without a line, the fleet shares unfairly', async () => {
  const { fullest, least } = await play(false);
  expect(fullest).toBeLessThanOrEqual(1);
  expect(least).toBeLessThan(0.5);
});
