import { expect, test, vi } from 'vitest';
import { runProgram } from '../support/program.ts';

const WAITS = `
const mock = createMock({ latency: 50 });
const began = mock.clock.now();
await mock.clock.sleep(60_000);
mock.faults.once('agents.list', { network: 'hang' });
const controller = new AbortController();
mock.clock.sleep(5_000, undefined, 'timeout').then(() => controller.abort(new Error('timed out')));
const options = { headers: { 'x-api-key': mock.apiKey }, signal: controller.signal };
const error = await mock.fetch(mock.baseUrl + '/api/v2/public/agents', options).catch((error) => error);
process.stdout.write(error.message + ' after ' + (mock.clock.now() - began));
`;

test.each([
  ['setImmediate', 'delete globalThis.setImmediate;'],
  [
    'setImmediate, MessageChannel and the modules of Node',
    'delete globalThis.setImmediate; delete globalThis.MessageChannel; process.getBuiltinModule = undefined;',
  ],
  [
    'the modules of Node, whose getter throws',
    `Object.defineProperty(process, 'getBuiltinModule', { get() { throw new Error('not supported'); } });`,
  ],
  ['setTimeout', 'delete globalThis.setTimeout; delete globalThis.clearTimeout;'],
  [
    'any timer but those of Node, fake ones being in its place',
    `for (const name of ['setTimeout', 'clearTimeout', 'setImmediate'])
       globalThis[name] = Object.assign(() => {}, { clock: {} });`,
  ],
])('time passes without %s', async (_, before) => {
  expect(await runProgram(WAITS, before)).toMatchObject({ code: 0, output: 'timed out after 65000' });
});

test.each([
  ['none', 'delete globalThis.setTimeout;'],
  ['a fake one of sinon', 'globalThis.setTimeout = Object.assign(() => {}, { clock: {} });'],
  ['an old fake one of Jest', 'globalThis.setTimeout = Object.assign(() => {}, { _isMockFunction: true });'],
])('a mock is refused where there is no real setTimeout, but %s', async (_, before) => {
  for (const clock of ['virtual', 'system']) {
    const { output, code } = await runProgram(
      `try { createMock({ clock: '${clock}' }); } catch (error) { process.stdout.write(error.message); }`,
      `process.getBuiltinModule = undefined; ${before}`,
    );
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('found no real setTimeout when it was imported'),
    ]);
  }
});

test('the system clock sleeps in parts where that takes longer than a timer of the platform can', async () => {
  const timers: { ms: number; run: () => void; cancelled: boolean }[] = [];
  vi.resetModules();
  vi.doMock('../../src/world/clock/timers.ts', () => ({
    checkTimers: () => {},
    realTimer: (ms: number, run: () => void) => {
      const timer = { ms, run, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  }));
  const { createSystemClock } = await import('../../src/world/clock/system-clock.ts');
  vi.doUnmock('../../src/world/clock/timers.ts');
  const clock = createSystemClock();
  const longest = 2 ** 31 - 1;
  let over = false;
  const slept = clock.sleep(2 * longest + 5).then(() => {
    over = true;
  });
  for (const left of [1, 2, 3]) {
    expect(timers).toHaveLength(left);
    await Promise.resolve();
    expect(over).toBe(false);
    timers.at(-1)?.run();
  }
  await slept;
  expect(timers.map(({ ms }) => ms)).toEqual([longest, longest, 5]);

  const controller = new AbortController();
  const aborted = clock.sleep(longest + 7, controller.signal);
  timers.at(-1)?.run();
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  expect(timers.slice(3).map(({ ms, cancelled }) => [ms, cancelled])).toEqual([
    [longest, false],
    [7, true],
  ]);

  void clock.sleep(-5);
  expect(timers.slice(5).map(({ ms }) => ms)).toEqual([0]);
});
