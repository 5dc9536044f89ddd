import { createClient, TimeoutError } from '@confab/client';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { hold } from '../support/hold.ts';
import { runProgram } from '../support/program.ts';
import { realTime } from '../support/real-time.ts';

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
    'any timer but those of Node, while others are faked',
    `for (const name of ['setTimeout', 'clearTimeout', 'setImmediate'])
       globalThis[name] = Object.assign(() => {}, { clock: {} });`,
  ],
])('the virtual clock works without %s', async (_, before) => {
  expect(await runProgram(WAITS, before)).toMatchObject({ code: 0, output: 'timed out after 65000' });
});

test.each([
  ['there is none', 'delete globalThis.setTimeout;'],
  ['sinon has replaced it', 'globalThis.setTimeout = Object.assign(() => {}, { clock: {} });'],
  [
    'legacy Jest has replaced it',
    'globalThis.setTimeout = Object.assign(() => {}, { _isMockFunction: true });',
  ],
])('createMock() throws without a real setTimeout: %s', async (_, before) => {
  for (const clock of ['virtual', 'system']) {
    const { output, code } = await runProgram(
      `try { createMock({ clock: '${clock}' }); } catch (error) { process.stdout.write(error.message); }`,
      `process.getBuiltinModule = undefined; ${before}`,
    );
    expect(output).toContain('found no real setTimeout when it was imported');
    expect(code).toBe(0);
  }
});

test('a fault function that never ends delays timeouts by at most 10 s of real time', async () => {
  const mock = createMock();
  const confab = createClient({ ...mock.clientOptions, timeout: 30_000, retry: false });
  hold(mock, 'leads.list');
  const held = confab.leads.list({});
  const really = performance.now();
  void mock.clock.sleep(60_000);
  await expect(held).rejects.toThrow(TimeoutError);
  const took = performance.now() - really;
  expect([took > 9_900, took < 15_000]).toEqual([true, true]);
});

test('the system clock can sleep for longer than the longest timer of the platform', async () => {
  const { clock } = createMock({ clock: 'system' });
  const controller = new AbortController();
  let over = false;
  const sleeping = clock.sleep(2 ** 31, controller.signal).finally(() => {
    over = true;
  });
  // The platform ends a longer timer at once.
  await realTime(50);
  expect(over).toBe(false);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
});
