import { listen, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { Opened } from '../support/hosts.ts';
import { open } from '../support/hosts.ts';
import { realTime } from '../support/real-time.ts';
import { delivered } from '../support/receiver.ts';

test('the virtual clock moves to the end of the next sleep when everything waits', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const woken: string[] = [];
  const sleeper = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push(`${name} at ${clock.now() - began}`);
  };
  await Promise.all([sleeper('b', 90_000), sleeper('a', 60_000), sleeper('c', 90_000)]);
  expect(woken).toEqual(['a at 60000', 'b at 90000', 'c at 90000']);
  // Without milliseconds, a sleep ends at once.
  await clock.sleep();
  expect(clock.now() - began).toBe(90_000);
});

/** Sets a timeout on the clock. */
const guard = (clock: Clock, ms: number) => {
  const controller = new AbortController();
  let fired = false;
  clock.sleep(ms, controller.signal, 'timeout').then(
    () => {
      fired = true;
    },
    () => {},
  );
  return { fired: () => fired, end: () => controller.abort() };
};

test('a timeout does not make time pass, and fires once time has passed it', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const { fired } = guard(clock, 1_000);
  await turns(50);
  expect([clock.now() - began, fired()]).toEqual([0, false]);
  await clock.sleep(2_000);
  expect([clock.now() - began, fired()]).toEqual([2_000, true]);
});

test.each(['virtual', 'system'] as const)(
  'clock.sleep() rejects with the reason of its aborted signal, on the %s clock',
  async (clock) => {
    const mock = createMock({ clock });
    const reason = new Error('enough');
    const controller = new AbortController();
    const sleeping = mock.clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(mock.clock.sleep(60_000, controller.signal)).rejects.toBe(reason);
  },
);

test('advance() ends sleeps in order, and simultaneous moves add up', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const log: string[] = [];
  const chain = async (name: string, ...waits: number[]) => {
    for (const ms of waits) {
      await clock.sleep(ms, undefined, 'timeout');
      log.push(`${name} at ${clock.now() - began}`);
    }
  };
  void chain('a', 10, 10, 10);
  void chain('b', 15, 5);
  await Promise.all([clock.advance(12), clock.advance(12), clock.advance(1)]);
  expect(log).toEqual(['a at 10', 'b at 15', 'a at 20', 'b at 20']);
  expect(clock.now()).toBe(began + 25);
});

test('the options latency and delayMs take time on the mock’s clock, and the log has the time of arrival', async () => {
  const { mock, send } = open({ latency: 250 });
  const began = mock.clock.now();
  await send('agents.list');
  mock.faults.once('agents.list', { delayMs: 1_000 });
  expect((await send('agents.list')).status).toBe(200);
  expect(mock.clock.now() - began).toBe(1_500);
  expect(mock.requests.all.map(({ at }) => at - began)).toEqual([0, 250]);

  const drawn = open({ latency: { min: 100, max: 200 } });
  await drawn.send('agents.list');
  const took = drawn.mock.clock.now() - began;
  expect([took >= 100, took <= 200]).toEqual([true, true]);
});

test('the clock waits for work that takes a few turns of the event loop', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const long = clock.sleep(60_000);
  await turns(3);
  await clock.sleep(1_000);
  expect(clock.now() - began).toBe(1_000);
  await long;
  expect(clock.now() - began).toBe(60_000);
});

test('a sleep does not let the timeout of a request over the network fire', async () => {
  const { clock } = createMock();
  const url = await listen((_, outgoing) => void outgoing.end('done'));
  const waiting = clock.sleep(60_000);
  const { fired, end } = guard(clock, 30_000);
  for (let trip = 0; trip < 5; trip += 1) {
    expect(await (await fetch(url)).text()).toBe('done');
  }
  end();
  await waiting;
  expect(fired()).toBe(false);
});

/** Ways to run test code, which ends when `answer` does. */
const atWork: Readonly<Record<string, (service: Opened, answer: Promise<void>) => Promise<unknown>>> = {
  'an agent': ({ mock, send }) =>
    send('agents.invoke', { id: mock.agents.find()[0]!.id, body: { userMessage: 'Hi' } }),
  'a fault function': ({ mock, send }, answer) => {
    mock.faults.once('agents.list', () => answer.then(() => undefined));
    return send('agents.list');
  },
  'a receiver': async ({ mock }, answer) => {
    const fetch = () => answer.then(() => new Response());
    expect(await delivered(mock, { retries: [], fetch })).toMatchObject([{ state: 'delivered' }]);
  },
};

test.concurrent.each(Object.entries(atWork))(
  'while %s runs, no sleep elsewhere lets a timeout fire',
  async (what, begin) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const service = open({ agents: { respond: () => promise.then(() => 'done') } });
    const { clock } = service.mock;
    const began = clock.now();
    const working = begin(service, promise);
    await turns(5);
    const { fired, end } = guard(clock, 30_000);
    const waiting = clock.sleep(60_000);
    // Real time, because the test proves that nothing happens: without a hold, the clock would move after 50 ms. It waits a
    // second for a receiver, and longer for the others.
    await realTime(what === 'a receiver' ? 200 : 1_200);
    expect([fired(), clock.now() - began]).toEqual([false, 0]);
    resolve();
    end();
    await Promise.all([working, waiting]);
    expect(clock.now() - began).toBe(60_000);
  },
);

type Refused = [method: 'sleep' | 'advance' | 'set', value: unknown, says: string];

test.each<Refused>([
  ['sleep', '5', 'must be called with a finite number of milliseconds, got "5"'],
  ['advance', '5', 'must be called with a number of milliseconds of at least 0, got "5".'],
  ['sleep', Number.POSITIVE_INFINITY, 'got Infinity'],
  ['advance', -1, 'got -1'],
  ['advance', Number.POSITIVE_INFINITY, 'year 9999'],
  ['set', 0, 'forward'],
  ['set', '+010000-01-01T00:00:00Z', 'year 9999'],
  ...['soon', '2026-02-30', '2026-06-01T09:00'].map((date): Refused => ['set', date, date]),
  ...[null, 10n, {}].map((date): Refused => ['set', date, 'must be called with a Date']),
])('clock.%s(%o) rejects and does not move the clock', async (method, value, says) => {
  const { clock } = createMock();
  const before = clock.now();
  const refusal = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(says) };
  await expect(clock[method](value as never)).rejects.toMatchObject(refusal);
  expect(clock.now()).toBe(before);
});

test('clock.advance() rejects on the system clock, and clock.sleep() takes real time', async () => {
  const { clock } = createMock({ clock: 'system' });
  await expect(clock.advance(1)).rejects.toMatchObject({ code: 'CLOCK_NOT_VIRTUAL' });
  await expect(clock.sleep('5' as never)).rejects.toThrow('got "5"');
  const began = Date.now();
  expect(clock.now()).toBeGreaterThanOrEqual(began);
  await clock.sleep(5);
  expect(Date.now()).toBeGreaterThanOrEqual(began + 4);
});

test('a sleep beyond the year 9999 does not make time pass, even during a hang, and can be aborted', async () => {
  const { mock, send } = open();
  const controller = new AbortController();
  const waiting = mock.clock.sleep(Number.MAX_SAFE_INTEGER, controller.signal);
  const before = mock.clock.now();
  await mock.clock.sleep(1_000);
  expect(mock.clock.now()).toBe(before + 1_000);
  mock.faults.once('leads.list', { network: 'hang' });
  send('leads.list', { signal: controller.signal }).catch(() => {});
  await realTime(150);
  expect(mock.clock.now()).toBe(before + 1_000);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('advance() and set() before a reset() do not move the clock afterward', async () => {
  const mock = createMock();
  const start = mock.clock.now();
  void mock.clock.sleep(30_000, undefined, 'timeout').then(() => mock.reset());
  await mock.clock.advance(60_000);
  expect(mock.clock.now()).toBe(start);
  const moves = [mock.clock.advance(60_000), mock.clock.set('2027-01-01T00:00:00Z')];
  mock.reset();
  await Promise.all(moves);
  expect(mock.clock.now()).toBe(start);
});
