import { expect, test } from 'vitest';
import { ConfigurationError } from '../src/index.ts';
import type { RateWindowHost } from '../src/options/rate-window.ts';
import type { RateLimitStore, SharedRateLimitOptions } from '../src/rate-limit/shared/index.ts';
import { sharedRateLimit } from '../src/rate-limit/shared/index.ts';
import { createManualClock } from './support/manual-clock.ts';

interface Asked {
  readonly count: number;
  readonly leaseMs: number;
}

const setUp = (options: Partial<SharedRateLimitOptions> = {}) => {
  const manual = createManualClock();
  const asked: Asked[] = [];
  const released: (readonly [place: string, counts: boolean])[] = [];
  const pauses: number[] = [];
  let onChanged = () => {};
  const heard = {
    changed: 0,
    pauses: [] as number[],
    warnings: [] as string[],
    failures: [] as (Error | undefined)[],
  };
  let grant = { waitMs: 0, pausedMs: 0, most: Number.POSITIVE_INFINITY };
  let broken: Error | undefined;
  let brokenRelease: Error | undefined;
  const store: RateLimitStore = {
    async take(request) {
      asked.push(request);
      if (broken !== undefined) {
        throw broken;
      }
      const { most, ...rest } = grant;
      return { places: Array.from({ length: Math.min(most, request.count) }, (_, at) => `p${at}`), ...rest };
    },
    async release(place, counts) {
      if (brokenRelease !== undefined) {
        throw brokenRelease;
      }
      released.push([place, counts]);
    },
    pause: async (ms) => void pauses.push(ms),
  };
  const host: RateWindowHost = {
    clock: manual.clock,
    changed: () => {
      heard.changed += 1;
      onChanged();
    },
    pause: (until) => void heard.pauses.push(until),
    fail: (cause) => void heard.failures.push(cause),
    redact: (text) => text,
    warn: (message) => void heard.warnings.push(message),
  };
  const window = sharedRateLimit({ store, requests: 5, perMs: 1_000, ...options }).open(host);
  return {
    ...manual,
    window,
    asked,
    released,
    pauses,
    heard,
    /** Sets how the limiter reacts to `changed`. */
    whenChanged: (act: () => void) => {
      onChanged = act;
    },
    set: (next: Partial<typeof grant>) => {
      grant = { ...grant, ...next };
    },
    breakReleaseWith: (error: Error) => {
      brokenRelease = error;
    },
    breakWith: (error: Error | undefined) => {
      broken = error;
    },
  };
};

const load = (waiting: number, leaseMs = 100) => ({ inFlight: 0, waiting, leaseMs });

test('places that nothing takes go back, uncounted', async () => {
  const { window, settle, asked, released, heard } = setUp();
  expect(window.startsAt(0, load(2))).toBeUndefined();
  await settle();
  expect(asked).toEqual([{ count: 2, leaseMs: 100 }]);
  expect(heard.changed).toBe(1);
  expect(released).toEqual([
    ['p0', false],
    ['p1', false],
  ]);
});

test('a place that was taken goes back with its request, counted or not', async () => {
  const { window, settle, whenChanged, released } = setUp();
  const ends: ((counts: boolean) => void)[] = [];
  whenChanged(() => void ends.push(window.take(), window.take()));
  window.startsAt(0, load(2));
  await settle();
  ends[0]?.(true);
  ends[1]?.(false);
  await settle();
  expect(released).toEqual([
    ['p0', true],
    ['p1', false],
  ]);
});

test('a place lets one call start, until a call comes that may take longer than it is leased for', async () => {
  const { window, settle, whenChanged, asked, released } = setUp();
  const starts: (number | undefined)[] = [];
  whenChanged(() => {
    starts.push(window.startsAt(0, load(1, 100)), window.startsAt(0, load(1, 500)));
    whenChanged(() => {});
  });
  window.startsAt(0, load(1, 100));
  await settle();
  expect(starts).toEqual([0, undefined]);
  expect(released[0]).toEqual(['p0', false]);
  expect(asked).toEqual([
    { count: 1, leaseMs: 100 },
    { count: 1, leaseMs: 500 },
  ]);
});

test('a store that cannot take a place back has failed', async () => {
  const { window, settle, breakReleaseWith, heard } = setUp();
  breakReleaseWith(new Error('connect ECONNREFUSED'));
  window.startsAt(0, load(1));
  await settle();
  expect(heard.warnings).toEqual([expect.stringContaining('connect ECONNREFUSED')]);
});

test('a request without a place, sent while the store failed, gives none back', async () => {
  const { window, settle, released } = setUp();
  window.take()(true);
  await settle();
  expect(released).toEqual([]);
});

test('a process that has used the limit alone waits without asking the store', async () => {
  const { window, settle, asked } = setUp();
  for (let count = 0; count < 5; count += 1) {
    window.take()(true);
  }
  expect(window.startsAt(0, load(1))).toBe(1_000);
  await settle();
  expect(asked).toEqual([]);
});

test('nothing is asked while an answer is awaited, nor without a call that waits', async () => {
  const { window, settle, asked } = setUp();
  window.startsAt(0, load(0));
  expect(asked).toEqual([]);
  window.startsAt(0, load(1));
  window.startsAt(0, load(2));
  await settle();
  expect(asked.map(({ count }) => count)).toEqual([1]);
});

test('fewer places than asked for mean a wait, as long as the store says', async () => {
  const { window, settle, asked, set, turnTo } = setUp();
  set({ most: 1, waitMs: 300 });
  window.startsAt(0, load(3));
  await settle();
  expect(window.startsAt(0, load(2))).toBe(300);
  await turnTo(299);
  expect(window.startsAt(299, load(2))).toBe(300);
  await turnTo(300);
  expect(window.startsAt(300, load(2))).toBeUndefined();
  expect(asked.map(({ count }) => count)).toEqual([3, 2]);
});

test('a pause of another process is passed on with its end, and its absence is not', async () => {
  const { window, settle, set, heard, turnTo } = setUp();
  await turnTo(50);
  window.startsAt(50, load(1));
  await settle();
  expect(heard.pauses).toEqual([]);
  set({ pausedMs: 200, most: 0, waitMs: 200 });
  window.startsAt(50, load(1));
  await settle();
  expect(heard.pauses).toEqual([250]);
});

test('a pause reaches the store in whole milliseconds, unless it is over', async () => {
  const { window, settle, pauses, turnTo } = setUp();
  await turnTo(100);
  window.pause(100);
  window.pause(90);
  window.pause(100.5);
  await settle();
  expect(pauses).toEqual([1]);
});

test("while the store fails, 'local' keeps to the limit alone and asks with an empty question", async () => {
  const { window, settle, asked, breakWith, heard, turnTo } = setUp();
  breakWith(new Error('connect ECONNREFUSED'));
  window.startsAt(0, load(3));
  await settle();
  expect(heard.failures).toEqual([]);
  expect(window.startsAt(0, load(3))).toBe(0);
  expect(asked).toHaveLength(1);
  await turnTo(1_000);
  window.startsAt(1_000, load(3));
  await settle();
  expect(asked.map(({ count }) => count)).toEqual([3, 0]);
  breakWith(undefined);
  await turnTo(2_000);
  window.startsAt(2_000, load(3));
  await settle();
  expect(heard.warnings).toEqual([
    'The rate-limit store failed: connect ECONNREFUSED. Until it responds again, this process applies the full rate limit on its own, unaware of other processes.',
    'The rate-limit store responds again.',
  ]);
});

test("while the store fails, 'throw' fails the calls that wait, and asks for places at once", async () => {
  const { window, settle, asked, breakWith, heard, turnTo } = setUp({ onStoreError: 'throw' });
  breakWith(new Error('connect ECONNREFUSED'));
  window.startsAt(0, load(2));
  await settle();
  expect(heard.failures.map((cause) => cause?.message)).toEqual([
    expect.stringContaining('connect ECONNREFUSED'),
  ]);
  expect(window.startsAt(0, load(2))).toBe(1_000);
  await turnTo(1_000);
  expect(window.startsAt(1_000, load(2))).toBeUndefined();
  await settle();
  expect(asked.map(({ count }) => count)).toEqual([2, 2]);
  expect(heard.warnings).toEqual([
    'The rate-limit store failed: connect ECONNREFUSED. Calls fail until it responds again.',
  ]);
});

const store: RateLimitStore = {
  take: async () => ({ places: [], waitMs: 0, pausedMs: 0 }),
  release: async () => {},
  pause: async () => {},
};

test.each<[unknown, string]>([
  [{ store, request: 5, perMs: 1_000 }, 'sharedRateLimit has no option `request`. Did you mean `requests`?'],
  [{ store, requests: 0, perMs: 1_000 }, '`requests` must be a whole number of at least 1, got 0.'],
  [{ store, requests: 5, perMs: 0 }, '`perMs` must be a number of at least 1, got 0.'],
  [
    { store, requests: 5, perMs: 86_400_001 },
    '`perMs` must be at most 86400000, which is a day, got 86400001.',
  ],
  [{ store, requests: 5, perMs: 1_000, onStoreError: 'ignore' }, '`onStoreError` must be'],
  [{ requests: 5, perMs: 1_000 }, '`store` has no method take()'],
  [{ store: { ...store, release: undefined }, requests: 5, perMs: 1_000 }, '`store` has no method release()'],
  [{ store: { ...store, pause: 5 }, requests: 5, perMs: 1_000 }, '`store` has no method pause()'],
])('%j is refused', (options, message) => {
  expect(() => sharedRateLimit(options as SharedRateLimitOptions)).toThrow(ConfigurationError);
  expect(() => sharedRateLimit(options as SharedRateLimitOptions)).toThrow(message);
});

test('a window of a whole day is accepted', () => {
  expect(sharedRateLimit({ store, requests: 5, perMs: 86_400_000 })).toHaveProperty('open');
});
