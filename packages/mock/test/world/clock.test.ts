import { listen, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock, MockError } from '../../src/index.ts';
import { open } from '../support/hosts.ts';
import { realTime } from '../support/real-time.ts';

test('time stands still until it is moved', async () => {
  const { clock } = createMock();
  const before = clock.now();
  await turns(20);
  expect(clock.now()).toBe(before);
  await clock.advance(1_500);
  expect(clock.now()).toBe(before + 1_500);
  await clock.set('2026-03-01T09:00:00Z');
  expect(new Date(clock.now()).toISOString()).toBe('2026-03-01T09:00:00.000Z');
});

test('once everything waits, time moves to the next wake-up', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const woken: [string, number][] = [];
  const sleeper = async (name: string, ms: number) => {
    await clock.sleep(ms);
    woken.push([name, clock.now() - began]);
  };
  await Promise.all([sleeper('b', 90_000), sleeper('a', 60_000), sleeper('c', 90_000)]);
  expect(woken).toEqual([
    ['a', 60_000],
    ['b', 90_000],
    ['c', 90_000],
  ]);
});

test('a timeout never makes time pass, but fires when time passes it', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const fired: string[] = [];
  void clock.sleep(1_000, undefined, 'timeout').then(() => fired.push('timeout'));
  await turns(50);
  expect([clock.now(), fired]).toEqual([began, []]);
  await clock.sleep(2_000);
  expect([clock.now() - began, fired]).toEqual([2_000, ['timeout']]);
});

test('an aborted sleep rejects with the reason of its signal, and leaves nothing behind', async () => {
  const { clock } = createMock();
  const reason = new Error('enough');
  const controller = new AbortController();
  const sleeping = clock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  await expect(clock.sleep(1, controller.signal)).rejects.toBe(reason);
  const before = clock.now();
  await turns(20);
  expect(clock.now()).toBe(before);
});

test('advance() fires what falls due in order, each wake-up with all that follows from it', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const log: [string, number][] = [];
  const chain = async (name: string, ...waits: number[]) => {
    for (const ms of waits) {
      await clock.sleep(ms, undefined, 'timeout');
      log.push([name, clock.now() - began]);
    }
  };
  void chain('a', 10, 10, 10);
  void chain('b', 15, 5);
  await clock.advance(25);
  expect(log).toEqual([
    ['a', 10],
    ['b', 15],
    ['a', 20],
    ['b', 20],
  ]);
  expect(clock.now()).toBe(began + 25);
});

test('the clock moves forward only, and the system clock not at all', async () => {
  const { clock } = createMock();
  await expect(clock.set(0)).rejects.toThrow(MockError);
  await expect(clock.advance(-1)).rejects.toThrow(MockError);
  const system = createMock({ clock: 'system' }).clock;
  await expect(system.advance(1)).rejects.toThrow(/system/);
  const began = Date.now();
  expect(system.now()).toBeGreaterThanOrEqual(began);
  await system.sleep(5);
  expect(Date.now()).toBeGreaterThanOrEqual(began + 4);
});

test('while a request is in progress, time does not move past its timeout', async () => {
  let answer = (_: string) => {};
  const { mock, send } = open({
    agents: {
      respond: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
  });
  const began = mock.clock.now();
  const invoking = send('agents.invoke', { id: mock.agents.find()[0]!.id, body: { userMessage: 'Hi' } });
  const timedOut: number[] = [];
  void mock.clock.sleep(30_000, undefined, 'timeout').then(() => timedOut.push(mock.clock.now()));
  await turns(20);
  expect(mock.clock.now()).toBe(began);
  answer('done');
  expect((await invoking).status).toBe(200);
  expect(timedOut).toEqual([]);
});

test('latency passes on the mock’s clock', async () => {
  const { mock, send } = open({ latency: 250 });
  const began = mock.clock.now();
  await send('agents.list');
  expect(mock.clock.now() - began).toBe(250);
  const drawn = open({ latency: { min: 100, max: 200 } });
  const start = drawn.mock.clock.now();
  await drawn.send('agents.list');
  expect(drawn.mock.clock.now() - start).toBeGreaterThanOrEqual(100);
  expect(drawn.mock.clock.now() - start).toBeLessThanOrEqual(200);
});

test('timestamps follow the clock', async () => {
  const { mock, send } = open();
  await mock.clock.set('2027-05-05T05:05:05Z');
  const { body } = await send<{ createdAt: string }>('leads.create', { body: { phone: '+5511987654321' } });
  expect(body.data.createdAt).toBe('2027-05-05T05:05:05.000Z');
});

test('work that takes a few turns of the event loop is not overtaken by a wait', async () => {
  const { clock } = createMock();
  const began = clock.now();
  const long = clock.sleep(60_000);
  await turns(3);
  await clock.sleep(1_000);
  expect(clock.now() - began).toBe(1_000);
  await long;
  expect(clock.now() - began).toBe(60_000);
});

test('a wait does not trigger the timeout of work in progress elsewhere', async () => {
  const { clock } = createMock();
  const url = await listen((_, outgoing) => void outgoing.end('done'));
  const fired: string[] = [];
  const waiting = clock.sleep(60_000);
  const guard = new AbortController();
  const guarding = clock.sleep(30_000, guard.signal, 'timeout').then(
    () => fired.push('timeout'),
    () => {},
  );
  for (let trip = 0; trip < 5; trip += 1) {
    const response = await fetch(url);
    expect(await response.text()).toBe('done');
  }
  guard.abort();
  await Promise.all([waiting, guarding]);
  expect(fired).toEqual([]);
});

test('anything but a number is no time, on every way to move or to wait', async () => {
  for (const kind of ['virtual', 'system'] as const) {
    const { clock } = createMock({ clock: kind });
    for (const [ms, got] of [
      ['5', '"5"'],
      [null, 'null'],
      [10n, '10n'],
      [{ ms: 5 }, '{"ms":5}'],
      [() => 5, 'a function'],
      [Number.NaN, 'NaN'],
      [Number.POSITIVE_INFINITY, 'Infinity'],
      [Number.NEGATIVE_INFINITY, '-Infinity'],
    ] as const) {
      const refused = (method: string) =>
        expect.objectContaining({
          code: 'INVALID_ARGUMENT',
          message: expect.stringMatching(new RegExp(`^clock\\.${method}\\(\\) must .*, got ${got}$`)),
        });
      await expect(clock.sleep(ms as unknown as number)).rejects.toEqual(refused('sleep'));
      // Other than a sleep, a move to infinity is refused like any other beyond the year 9999.
      if (kind === 'virtual' && ms !== Number.POSITIVE_INFINITY) {
        await expect(clock.advance(ms as unknown as number)).rejects.toEqual(refused('advance'));
      }
    }
  }
  const { clock } = createMock();
  const before = clock.now();
  for (const date of [null, 10n, true, {}, undefined]) {
    await expect(clock.set(date as unknown as number)).rejects.toThrow(
      'clock.set() must be called with a Date',
    );
  }
  await clock.sleep();
  await clock.sleep(undefined);
  expect(clock.now()).toBe(before);
  await clock.advance(5);
  expect(clock.now()).toBe(before + 5);
});

test('an invalid time throws before anything moves', async () => {
  const { clock } = createMock();
  const before = clock.now();
  await expect(clock.advance(Number.POSITIVE_INFINITY)).rejects.toThrow(/year 9999/);
  await expect(clock.advance(1e16)).rejects.toThrow(/year 9999/);
  await expect(clock.advance(Number.NaN)).rejects.toThrow(/NaN/);
  await expect(clock.set('+010000-01-01T00:00:00Z')).rejects.toThrow(/year 9999/);
  for (const impossible of [
    'soon',
    '2026-02-30',
    '2026-02-30T00:00:00Z',
    '2026-06-01T24:00:00Z',
    '2026-06-01T09:00',
  ]) {
    await expect(clock.set(impossible)).rejects.toThrow(impossible);
  }
  expect(clock.now()).toBe(before);
});

test('a wait that ends after the year 9999 makes no time pass, and can be aborted', async () => {
  const { clock } = createMock();
  const before = clock.now();
  const controller = new AbortController();
  const waiting = clock.sleep(Number.MAX_SAFE_INTEGER, controller.signal);
  await turns(20);
  expect(clock.now()).toBe(before);
  await clock.sleep(1_000);
  expect(clock.now()).toBe(before + 1_000);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('simultaneous moves add up', async () => {
  const { clock } = createMock();
  const before = clock.now();
  await Promise.all([clock.advance(1_000), clock.advance(1_000), clock.advance(500)]);
  expect(clock.now()).toBe(before + 2_500);
});

test('a clock that is restored while it moves stays at the restored time', async () => {
  const mock = createMock();
  const start = mock.clock.now();
  await mock.clock.advance(3_600_000);
  let woken = 0;
  void mock.clock.sleep(30_000, undefined, 'timeout').then(() => {
    woken += 1;
    mock.reset();
  });
  await mock.clock.advance(60_000);
  expect([woken, mock.clock.now()]).toEqual([1, start]);
});

test('the waits of others do not make a slow agent exceed its caller’s timeout', async () => {
  let asked = () => {};
  const thinking = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let answer = (_: string) => {};
  const { mock, send } = open({
    agents: {
      respond: () => {
        asked();
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    },
  });
  const began = mock.clock.now();
  const controller = new AbortController();
  const { signal } = controller;
  const { id } = mock.agents.find()[0]!;
  const invoking = send('agents.invoke', { id, body: { userMessage: 'Hi' }, signal });
  void mock.clock.sleep(120_000, signal, 'timeout').then(
    () => controller.abort(new Error('timed out')),
    () => {},
  );
  await thinking;
  // Time moves at once as far as it passes no timeout; then somebody has to be patient.
  await mock.clock.sleep(60_000);
  const later = mock.clock.sleep(90_000);
  await realTime(200);
  expect(mock.clock.now() - began).toBe(60_000);
  answer('done');
  expect((await invoking).status).toBe(200);
  controller.abort();
  await later;
  expect(mock.clock.now() - began).toBe(150_000);
});

test('an abandoned sleep of the system clock ends at once', async () => {
  const { clock } = createMock({ clock: 'system' });
  const controller = new AbortController();
  const sleeping = clock.sleep(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(clock.sleep(60_000, controller.signal)).rejects.toThrow('enough');
});

test('a hang does not move time to the end of a wait beyond the year 9999', async () => {
  const { mock, send } = open();
  const controller = new AbortController();
  const { signal } = controller;
  mock.clock.sleep(Number.MAX_SAFE_INTEGER, signal).catch(() => {});
  mock.faults.once('leads.list', { network: 'hang' });
  const hanging = send('leads.list', { signal });
  hanging.catch(() => {});
  await turns(20);
  const began = mock.clock.now();
  await realTime(150);
  expect(mock.clock.now()).toBe(began);
  controller.abort();
});

test('moves requested before a reset do not move the clock afterwards', async () => {
  const mock = createMock();
  const start = mock.clock.now();
  const moves = [
    mock.clock.advance(60_000),
    mock.clock.advance(60_000),
    mock.clock.set('2027-01-01T00:00:00Z'),
  ];
  mock.reset();
  await Promise.all(moves);
  expect(mock.clock.now()).toBe(start);
});

test('the waits of others do not make a slow fault function exceed its caller’s timeout', async () => {
  const { mock, send } = open();
  let release = () => {};
  mock.faults.once('agents.list', async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return undefined;
  });
  const controller = new AbortController();
  const { signal } = controller;
  const listing = send('agents.list', { signal });
  mock.clock.sleep(30_000, signal, 'timeout').then(
    () => controller.abort(new Error('timed out')),
    () => {},
  );
  await turns(5);
  const waiting = mock.clock.sleep(60_000);
  await realTime(200);
  release();
  expect((await listing).status).toBe(200);
  controller.abort();
  await waiting;
});
