import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Coalescer, PERIOD } from '../src/server/coalescer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const startCoalescer = () => {
  const reports: (readonly string[])[] = [];
  const coalescer = new Coalescer<string>((kinds) => reports.push(kinds));
  return { reports, coalescer };
};

test('the first change is reported at once, with those of the same turn', () => {
  const { reports, coalescer } = startCoalescer();
  coalescer.add('rows');
  coalescer.add('request');
  coalescer.add('rows');
  expect(reports).toEqual([]);
  vi.advanceTimersByTime(0);
  expect(reports).toEqual([['rows', 'request']]);
});

test('a thousand changes are at most one report per period, and the last one is never lost', () => {
  const { reports, coalescer } = startCoalescer();
  for (let sent = 0; sent < 1_000; sent += 1) {
    coalescer.add('request');
    vi.advanceTimersByTime(1);
  }
  const most = 1 + 1_000 / PERIOD;
  expect(reports.length).toBeLessThanOrEqual(most);
  expect(reports.length).toBeGreaterThan(most - 2);
  const before = reports.length;
  coalescer.add('delivery');
  vi.advanceTimersByTime(PERIOD);
  expect(reports).toHaveLength(before + 1);
  expect(reports.at(-1)).toContain('delivery');
});

test('after a quiet period, a change is reported at once again', () => {
  const { reports, coalescer } = startCoalescer();
  coalescer.add('request');
  vi.advanceTimersByTime(10 * PERIOD);
  expect([reports.length, vi.getTimerCount()]).toEqual([1, 0]);
  coalescer.add('clock');
  vi.advanceTimersByTime(0);
  expect(reports).toEqual([['request'], ['clock']]);
});

test('a stopped one reports no more, and leaves no timer behind', () => {
  const { reports, coalescer } = startCoalescer();
  coalescer.add('request');
  vi.advanceTimersByTime(0);
  coalescer.add('request');
  coalescer.stop();
  expect(vi.getTimerCount()).toBe(0);
  expect(reports).toHaveLength(1);
});
