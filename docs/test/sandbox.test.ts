import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readMessage } from '../playground/messages.ts';
import type { Ending } from '../playground/sandbox.ts';
import { runInSandbox, TIME_LIMIT } from '../playground/sandbox.ts';

const LINE = { type: 'line', line: { level: 'log', text: 'hello' } };
const ROW = { method: 'GET', path: '/leads', operation: 'leads.list', status: 200, at: 0 };
const MOCK = { now: 0, elapsed: 0, limit: 2, perMs: 60_000, used: 1, total: 1, requests: [ROW], samples: [] };

/** As Vue draws it, this is markup of the program's choice, in the page of the site. */
const NODE = { __v_isVNode: true, type: 'div', props: { innerHTML: '<img src=x onerror=alert(1)>' } };

const mocks = (change: object) => ({ type: 'mocks', mocks: [{ ...MOCK, ...change }] });

test('messages of the playground itself are read', () => {
  for (const message of [LINE, mocks({}), mocks({ limit: undefined }), { type: 'finished', failed: false }]) {
    expect(readMessage(message)).toEqual(message);
  }
});

test.for([
  ['nothing', undefined],
  ['an unknown type', { type: 'navigate', to: 'https://example.com/' }],
  ['a node as text', { ...LINE, line: { level: 'log', text: NODE } }],
  ['a node as operation', mocks({ requests: [{ ...ROW, operation: NODE }] })],
  ['a node as status', mocks({ requests: [{ ...ROW, status: NODE }] })],
  ['a node as count', mocks({ used: NODE })],
  ['a level that would be a class', { ...LINE, line: { level: 'log VPNav', text: 'x' } }],
  ['a date that no calendar has', mocks({ now: 1e300 })],
  ['a line without end', { ...LINE, line: { level: 'log', text: 'x'.repeat(10_000) } }],
  ['more rows than the table shows', mocks({ requests: Array.from({ length: 201 }, () => ROW) })],
  ['more mocks than the page shows', { type: 'mocks', mocks: Array.from({ length: 5 }, () => MOCK) }],
] as const)('a message with %s is refused', ([, message]) => {
  expect(readMessage(message)).toBeUndefined();
});

/** The frame that the sandbox makes, with the port that its worker would have. */
const frame = { setAttribute: vi.fn(), addEventListener: vi.fn(), remove: vi.fn(), srcdoc: '' };

const start = (onMessage: (message: unknown) => void = () => undefined) => {
  const running = runInSandbox('runner', 'program', onMessage);
  const [, onLoad] = frame.addEventListener.mock.lastCall ?? [];
  let port: MessagePort | undefined;
  Object.assign(frame, {
    contentWindow: {
      postMessage: (_: unknown, __: string, ports: MessagePort[]) => {
        [port] = ports;
      },
    },
  });
  onLoad();
  return { running, port: port as MessagePort };
};

beforeEach(() => {
  vi.stubGlobal('document', { createElement: () => frame, body: { append: () => undefined } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
  vi.useRealTimers();
});

test('the frame of a program may only run scripts', () => {
  const { running } = start();
  expect(frame.setAttribute.mock.calls).toEqual([['sandbox', 'allow-scripts']]);
  expect(frame.srcdoc).toContain(
    `content="default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:"`,
  );
  running.stop();
});

const expectEnd = async (ended: Promise<Ending>, ending: Ending): Promise<void> => {
  expect(await ended).toBe(ending);
  expect(frame.remove).toHaveBeenCalledOnce();
};

test('a program that reports its end is removed', async () => {
  const seen: unknown[] = [];
  const { running, port } = start((message) => seen.push(message));
  port.postMessage(LINE);
  port.postMessage({ type: 'finished', failed: false });
  await expectEnd(running.ended, 'finished');
  expect(seen).toEqual([LINE]);
});

test('a program that sends what the page does not understand is removed', async () => {
  const seen: unknown[] = [];
  const { running, port } = start((message) => seen.push(message));
  port.postMessage(mocks({ requests: [{ ...ROW, operation: NODE }] }));
  port.postMessage(LINE);
  await expectEnd(running.ended, 'tampered');
  expect(seen).toEqual([]);
});

test('a program that floods the page is removed', async () => {
  const seen: unknown[] = [];
  const { running, port } = start((message) => seen.push(message));
  for (let sent = 0; sent < 2_001; sent += 1) {
    port.postMessage(LINE);
  }
  await expectEnd(running.ended, 'tampered');
  expect(seen).toHaveLength(2_000);
});

test('a program that does not end is removed after its time', async () => {
  vi.useFakeTimers();
  const { running } = start();
  vi.advanceTimersByTime(TIME_LIMIT - 1);
  expect(frame.remove).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await expectEnd(running.ended, 'timeout');
});
