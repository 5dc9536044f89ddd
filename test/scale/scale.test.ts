import { expect, test } from 'vitest';
import { fairShare, jain, measure, sharesOf } from './measures.ts';
import type { Process, Stage } from './simulate.ts';
import { LIMIT, simulate } from './simulate.ts';

test('Jain’s index is 1 if all processes have the same, and 1/n if one of n has everything', () => {
  expect(jain([3, 3, 3, 3])).toBe(1);
  expect(jain([8, 0, 0, 0])).toBe(0.25);
});

test('in a fair share, capacity that a process does not use goes to busier processes', () => {
  expect(fairShare([1, 10, 10], 13)).toBe(6);
  expect(fairShare([1, 2, 3], 100)).toBe(3);
  const process = (served: number, wanted: number, alive = true) => ({ served, wanted, alive }) as Process;
  const processes = [process(1, 1), process(9, 50), process(3, 50), process(0, 9, false)];
  expect(sharesOf(processes)).toEqual([0.5, 1, 1.5]);
});

/** Starts 200 processes, one per millisecond. Each wants four times its share, and makes up to 100 calls at once. */
const crowd = ({ start, after }: Stage) => {
  for (let process = 0; process < 200; process += 1) {
    const { call } = start(100);
    after(process, () => Array.from({ length: (4 * LIMIT.requests) / 200 }, call));
  }
};

test('a simulated fleet with a shared limit never exceeds it, uses all of it, and lets no process starve', {
  timeout: 60_000,
}, async () => {
  const figures = measure(await simulate({ name: 'crowd', seconds: 30, play: crowd }, 0.02));
  expect(figures).toMatchObject({ 'use of the limit': 1, 'fullest window': 1 });
  expect(figures['least served 1 %']).toBeGreaterThan(0.25);
});
