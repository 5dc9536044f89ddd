import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { RateLoad, RateWindow, RateWindowHost } from '../src/options/rate-window.ts';
import type { AcquireOptions, LimiterOptions } from '../src/rate-limit/limiter.ts';
import { createLimiter } from '../src/rate-limit/limiter.ts';
import { acquire as acquireFrom } from './support/acquire.ts';
import { createManualClock } from './support/manual-clock.ts';

const setUp = (options: Partial<LimiterOptions> = {}) => {
  const manual = createManualClock();
  const pauses: number[] = [];
  const limiter = createLimiter({
    clock: manual.clock,
    concurrency: 1,
    rateLimit: false,
    onPause: ({ durationMs }) => pauses.push(durationMs),
    ...options,
  });
  const acquire = (wanted: Partial<AcquireOptions> = {}) =>
    acquireFrom(limiter, { timeout: 2_000, ...wanted });
  return { ...manual, limiter, acquire, pauses };
};

/** A window of another process, which lets every request start. */
const openWindow = () => {
  const loads: RateLoad[] = [];
  const told: number[] = [];
  let host: RateWindowHost | undefined;
  const window: RateWindow = {
    startsAt: (now, load) => {
      loads.push(load);
      return now;
    },
    take: () => () => {},
    learn: () => {},
    pause: (until) => void told.push(until),
  };
  const rateLimit = {
    open: (given: RateWindowHost) => {
      host = given;
      return window;
    },
  };
  return { rateLimit, loads, told, host: () => host as RateWindowHost };
};

test('a call whose signal is aborted already gets no place, though one is free', async () => {
  const { limiter, acquire } = setUp();
  const controller = new AbortController();
  controller.abort('too late');
  await expect(acquire({ signal: controller.signal })).rejects.toBe('too late');
  expect(limiter.snapshot()).toMatchObject({ queued: 0, inFlight: 0 });
});

test('a call that waits out no pause is refused only while there is one', async () => {
  const { limiter, acquire, turnTo } = setUp();
  (await acquire({ maxPause: 0 })).release(true);
  limiter.pause(1_000);
  await expect(acquire({ maxPause: 0 })).rejects.toEqual({ refused: 'paused', retryAfterMs: 1_000 });
  await turnTo(1_000);
  (await acquire({ maxPause: 0 })).release(true);
});

test('a new call does not overtake one that waits, although its time has come', async () => {
  const { clock, acquire, turnTo } = setUp({ rateLimit: { requests: 1, perMs: 1_000 } });
  (await acquire()).release(true);
  const order: string[] = [];
  const first = acquire().then((permit) => {
    order.push('first');
    permit.release(false);
  });
  await turnTo(999);
  // The clock moves on before the first one is woken.
  const asleep = clock.now;
  clock.now = () => 1_000;
  const second = acquire().then((permit) => {
    order.push('second');
    permit.release(false);
  });
  await Promise.resolve();
  clock.now = asleep;
  await turnTo(3_000);
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

test('a pause that is over when it begins is not reported', async () => {
  const { limiter, pauses, turnTo } = setUp();
  await turnTo(10);
  limiter.pause(5);
  limiter.pause(10);
  expect(pauses).toEqual([]);
  expect(limiter.snapshot().pausedUntil).toBeUndefined();
});

test('a shared window is asked for as many places as calls wait, up to the concurrency', async () => {
  const { rateLimit, loads } = openWindow();
  const { acquire } = setUp({ concurrency: 3, rateLimit });
  const permits = [await acquire(), await acquire(), await acquire()];
  const waiting = [acquire(), acquire(), acquire()];
  loads.length = 0;
  permits[0]?.release(true);
  expect(loads[0]).toMatchObject({ inFlight: 2, waiting: 1 });
  for (const permit of permits) {
    permit.release(true);
  }
  for (const permit of await Promise.all(waiting)) {
    permit.release(true);
  }
});

test('a pause of another process pauses this one, and is not sent back', () => {
  const { rateLimit, told, host } = openWindow();
  const { limiter, pauses } = setUp({ rateLimit });
  host().pause(5_000);
  expect(limiter.snapshot().pausedUntil).toBe(5_000);
  expect(pauses).toEqual([5_000]);
  expect(told).toEqual([]);
  limiter.pause(6_000);
  limiter.pause(5_500);
  expect(told).toEqual([6_000]);
});

test('a wait ends a pause that grew meanwhile at its new end', async () => {
  const { clock, limiter, acquire, turnTo } = setUp();
  limiter.pause(1_000);
  const waiting = acquire().then(() => clock.now());
  await turnTo(500);
  limiter.pause(3_000);
  await turnTo(10_000);
  expect(await waiting).toBe(3_000);
});

test('a call that has waited listens to its signal no more, and its sleep was a wait for the clock', async () => {
  const { clock, acquire, turnTo } = setUp({ rateLimit: { requests: 1, perMs: 1_000 } });
  const purposes: unknown[] = [];
  const { sleep } = clock;
  clock.sleep = (ms, signal, purpose) => {
    purposes.push(purpose);
    return sleep(ms, signal, purpose);
  };
  (await acquire()).release(true);
  const { signal } = new AbortController();
  const waiting = acquire({ signal });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await turnTo(1_000);
  (await waiting).release(true);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  expect(purposes).toEqual(['wait']);
});
