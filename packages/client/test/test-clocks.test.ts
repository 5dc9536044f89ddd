import { mock } from 'node:test';
import { install as installJest29 } from 'fake-timers-10';
import { install as installSinon19 } from 'fake-timers-13';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { RateLimitError, TimeoutError } from '../src/index.ts';
import { clientWith } from './support/client.ts';

/** Lets promises settle. It is read here, before a test replaces it. */
const { setImmediate: immediate } = globalThis;
const settle = () => new Promise<void>((resolve) => void immediate(resolve));

/** A date in the past, as in most tests. */
const NOW = Date.UTC(2024, 0, 1);

interface FakeClock {
  readonly advance: (ms: number) => unknown;
  readonly uninstall: () => void;
}

const useVitest =
  (toFake?: NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake']) => (): FakeClock => {
    vi.useFakeTimers({ now: NOW, ...(toFake && { toFake }) });
    return { advance: (ms) => vi.advanceTimersByTimeAsync(ms), uninstall: () => vi.useRealTimers() };
  };

/** All but `nextTick` and `queueMicrotask`: Node uses these, so the worker could lose a message to its runner. */
const FAKED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'hrtime',
  'performance',
] as const;

const useSinon = (install: typeof installJest29) => (): FakeClock => {
  const clock = install({ now: NOW, toFake: [...FAKED] });
  return { advance: (ms) => clock.tickAsync(ms), uninstall: () => clock.uninstall() };
};

const useNode = (): FakeClock => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: NOW });
  return { advance: (ms) => mock.timers.tick(ms), uninstall: () => mock.timers.reset() };
};

const clocks: Readonly<Record<string, () => FakeClock>> = {
  vitest: useVitest(),
  // They leave `performance` alone.
  'vitest 2': useVitest(FAKED.filter((name) => name !== 'performance' && name !== 'hrtime')),
  'vitest with timers alone': useVitest(['setTimeout', 'clearTimeout']),
  'Jest 29': useSinon(installJest29),
  'sinon 19': useSinon(installSinon19),
  'node:test': useNode,
};

const ok = () => Response.json({ success: true, data: [] });
const refuse = (status: number, retryAfter?: string) =>
  Response.json(
    { success: false, error: 'Slow down', code: 'X' },
    { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
  );

let uninstall = () => {};
afterEach(() => uninstall());

/** Creates a client whose requests get these responses, and then the last one again and again; undefined for none. */
const connect = (responses: readonly (() => Response | undefined)[], options: ClientOptions = {}) => {
  let sent = 0;
  const confab = clientWith({
    fetch: () =>
      new Promise((resolve) => {
        const response = responses[Math.min(sent, responses.length - 1)]?.();
        sent += 1;
        if (response) {
          resolve(response);
        }
      }),
    ...options,
  });
  /** Makes a call, and returns how it ended so far. */
  const call = () => {
    const state: { result?: unknown } = {};
    confab.agents.list().then(
      () => (state.result = 'sent'),
      (error: unknown) => (state.result = error),
    );
    return state;
  };
  return { confab, call, sent: () => sent };
};

/** Installs fake timers, and returns how to move them forward. */
const begin = (start: () => FakeClock) => {
  const clock = start();
  uninstall = () => {
    clock.uninstall();
    uninstall = () => {};
  };
  return async (ms: number) => {
    // Some of them also replace `process.nextTick`, which is needed to read bodies.
    for (const step of [0, 0, 0, ms]) {
      await settle();
      await clock.advance(step);
    }
    await settle();
  };
};

describe.each(Object.entries(clocks))('under the fake timers of %s', (_, start) => {
  test('a call waits out the pause after a 429', async () => {
    const advance = begin(start);
    const { call, sent, confab } = connect([() => refuse(429, '30'), ok]);
    const state = call();
    await advance(29_000);
    expect(sent()).toBe(1);
    expect(confab.rateLimit.pausedUntil).toBeGreaterThan(Date.now());
    await advance(1_000);
    expect(state).toEqual({ result: 'sent' });
    expect(confab.rateLimit.pausedUntil).toBeUndefined();
  });

  test.each(['5', undefined])('a 503 with a Retry-After of %s is retried', async (retryAfter) => {
    const advance = begin(start);
    const { call } = connect([() => refuse(503, retryAfter), ok]);
    const state = call();
    await advance(5_000);
    expect(state).toEqual({ result: 'sent' });
  });

  test('an attempt that hangs times out and is retried', async () => {
    const advance = begin(start);
    const { call, sent } = connect([() => undefined], { timeout: 10_000, retry: { limit: 1, maxDelay: 1 } });
    const state = call();
    await advance(10_000);
    expect(state).toEqual({});
    await advance(1);
    expect(sent()).toBe(2);
    await advance(10_000);
    expect(state.result).toBeInstanceOf(TimeoutError);
  });
});

// Where `Date` is not replaced, nothing shows that time has passed without a wait.
test.each(Object.entries(clocks).filter(([name]) => !name.includes('alone')))(
  'under the fake timers of %s, a pause ends even if nothing waits for it',
  async (_, start) => {
    const advance = begin(start);
    const { call, confab } = connect([() => refuse(429, '100'), ok]);
    const refused = call();
    await advance(0);
    expect(refused.result).toBeInstanceOf(RateLimitError);
    expect(Math.abs((confab.rateLimit.pausedUntil ?? 0) - NOW - 100_000)).toBeLessThan(500);
    await advance(100_500);
    const state = call();
    await advance(0);
    expect(state).toEqual({ result: 'sent' });
  },
);

/** Moves `Date` forward or back, and leaves the other clocks alone. */
const setDate = () => {
  const now = Date.now.bind(Date);
  let moved = 0;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + moved);
  uninstall = () => spy.mockRestore();
  return (ms: number) => {
    moved += ms;
  };
};

const inSeconds = (seconds: number) => new Date(Date.now() + 1_000 * seconds).toUTCString();

test('after the machine has slept, a pause that is over delays no call, and the next pause has the new date', async () => {
  const move = setDate();
  const { confab } = connect([() => refuse(429, '100'), ok, () => refuse(429, inSeconds(101))]);
  const { agents } = confab;
  await expect(agents.list()).rejects.toThrow(RateLimitError);
  move(600_000);
  await expect(agents.list()).resolves.toEqual([]);

  await expect(agents.list()).rejects.toMatchObject({ retryAfterMs: expect.closeTo(101_000, -4) });
  expect(confab.rateLimit.pausedUntil).toBeGreaterThan(Date.now() + 90_000);
  expect(confab.rateLimit.pausedUntil).toBeLessThan(Date.now() + 110_000);
});

test('a restart of `performance`, as by the fake timers of Bun (oven-sh/bun#40104), does not lengthen a pause', async () => {
  const move = setDate();
  const { confab } = connect([() => refuse(429, '100'), ok]);
  await expect(confab.agents.list()).rejects.toThrow(RateLimitError);
  move(-86_400_000);
  let ticks = 0;
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => ticks);
  expect(confab.rateLimit.pausedUntil).toBeDefined();
  ticks += 100_050;
  move(100_050);
  expect(confab.rateLimit.pausedUntil).toBeUndefined();
});

test('a system date that jumps back and forth does not change the length of a pause', async () => {
  const move = setDate();
  const { confab } = connect([() => refuse(429, '100'), ok]);
  await expect(confab.agents.list()).rejects.toThrow(RateLimitError);
  for (let jumps = 0; jumps < 20; jumps += 1) {
    move(-11_000);
    expect(confab.rateLimit.pausedUntil).toBeLessThan(Date.now() + 110_000);
    move(11_000);
    expect(confab.rateLimit.pausedUntil).toBeGreaterThan(Date.now() + 90_000);
  }
  move(-3_600_000);
  expect(confab.rateLimit.pausedUntil).toBeLessThan(Date.now() + 110_000);
});
