import { expect, test } from 'vitest';
import { SortedSet } from '../budget/sorted-set.ts';
import { fairShare, jain, sharesOf } from '../scale/measures.ts';
import { budgetNeeds, deliveryNeeds } from '../scale/needs.ts';
import type { Process } from '../scale/simulate.ts';
import { simulate } from '../scale/simulate.ts';
import { speedOf } from '../scale/speed-of.ts';
import { Heap } from '../timeline/heap.ts';

test('a heap returns the lowest key first, and equal keys in the order in which they came', () => {
  const heap = new Heap<number>();
  const keys = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 101);
  for (const [index, key] of keys.entries()) {
    heap.add(key, index);
  }
  const expected = [...keys.entries()].toSorted(([a, one], [b, other]) => one - other || a - b);
  expect(heap.lowest).toBe(0);
  expect(keys.map(() => heap.take())).toEqual(expected.map(([index]) => index));
  expect(heap.take()).toBeUndefined();
});

test('a sorted set keeps its order through changes and removals', () => {
  const set = new SortedSet<string>();
  const scores = new Map<string, number>();
  const change = (member: string, score: number) => {
    set.set(member, score);
    scores.set(member, score);
  };
  for (let index = 0; index < 3_000; index += 1) {
    change(`${(index * 31) % 700}`, index + ((index * 7_919) % 997));
    if (index % 10 === 0) {
      set.delete(`${index % 700}`);
      scores.delete(`${index % 700}`);
    }
  }
  const limit = 2_400;
  set.removeUpTo(limit);
  const left = [...scores].filter(([, score]) => score > limit).toSorted(([, a], [, b]) => a - b);
  expect(set.size).toBe(left.length);
  expect(left.map((_, rank) => set.scoreAt(rank))).toEqual(left.map(([, score]) => score));
  const [last = ''] = left.at(-1) ?? [];
  expect(set.rankOf(last)).toBe(left.length - 1);
  expect([set.has(last), set.rankOf('unknown')]).toEqual([true, undefined]);
});

test('Jain’s index is 1 when all have the same, and 1/n when one has everything', () => {
  expect(jain([3, 3, 3, 3])).toBe(1);
  expect(jain([8, 0, 0, 0])).toBe(0.25);
});

test('what a process does not want goes to those that want more', () => {
  expect(fairShare([1, 10, 10], 13)).toBe(6);
  expect(fairShare([1, 2, 3], 100)).toBe(3);
  const process = (served: number, wanted: number, alive = true) => ({ served, wanted, alive }) as Process;
  expect(sharesOf([process(1, 1), process(9, 50), process(3, 50), process(0, 9, false)])).toEqual([
    0.5, 1, 1.5,
  ]);
});

test('calls of the last window do not count: they may wait for its end', async () => {
  const simulation = await simulate(
    {
      name: 'late',
      seconds: 20,
      line: true,
      play: ({ start, at }) => {
        const { call } = start();
        for (const time of [0, 9_999, 10_000, 19_999]) {
          at(time, call);
        }
      },
    },
    { callMs: 0.02, roundTripMs: 1 },
  );
  expect(simulation.processes).toMatchObject([{ wanted: 2, served: 2 }]);
  expect(simulation.sent.reduce((sum, sent) => sum + sent)).toBe(3);
});

test('the needs are computed from the measured costs', () => {
  const delivery = {
    receiverMs: 0.25,
    redisEnqueueMs: 0.05,
    bytesPerJob: 2_000,
    workerMs: 0.2,
    redisWorkMs: 0.12,
    redisDedupeMs: 0.01,
    bytesPerRemembered: 250,
  };
  const budget = {
    takeMs: 0.0205,
    releaseMs: 0.007,
    refuseMs: 0.0262,
    bytesPerPlace: 139,
    bytesPerWaiter: 139,
  };
  const { rows } = deliveryNeeds({ delivery, budget });
  expect(rows.map(([, , needed]) => needed)).toEqual(['50', '40', '32', '2', '90 GB', '2,160 GB', '12 GB']);
  expect(rows[2]?.[1]).toBe('100,000/s × (50 + 120 − 10) µs ÷ 0.5');

  // 18,181.8 and 9,310.9 requests a second: what a limit can bear is rounded down.
  const results = budgetNeeds({ delivery, budget }).rows.map(([, , result]) => result);
  expect(results).toEqual(['18,181', '9,310', '2.78 MB', '0.262 s']);
  expect(speedOf({ budget })).toEqual({ callMs: 0.03, roundTripMs: 1 });
});
