import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readMessage } from '../playground/messages.ts';
import type { Ending } from '../playground/sandbox.ts';
import { runInSandbox } from '../playground/sandbox.ts';

const LINE = { type: 'line', line: { level: 'log', text: 'hello' } };
const ROW = { method: 'GET', path: '/leads', operation: 'leads.list', status: 200, at: 0 };
const MOCK = { now: 0, elapsed: 0, limit: 2, perMs: 60_000, used: 1, total: 1, requests: [ROW], samples: [] };

/** If Vue drew this, the page of the site would contain markup of the program's choice. */
const NODE = { __v_isVNode: true, type: 'div', props: { innerHTML: '<img src=x onerror=alert(1)>' } };

const mocks = (change: object) => ({ type: 'mocks', mocks: [{ ...MOCK, ...change }] });

test('readMessage() accepts the messages of the playground itself', () => {
  for (const message of [LINE, mocks({}), mocks({ limit: undefined }), { type: 'finished', failed: false }]) {
    expect(readMessage(message)).toEqual(message);
  }
});

test.for([
  ['no content', undefined],
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
] as const)('readMessage() refuses a message with %s', ([, message]) => {
  expect(readMessage(message)).toBeUndefined();
});

/** The frame that the sandbox creates, with the port that its worker would have. */
const frame = { setAttribute: vi.fn(), addEventListener: vi.fn(), remove: vi.fn(), srcdoc: '' };

/** Runs a program that sends these messages. Returns what the page gets, and how the run ends. */
const runWith = async (messages: readonly unknown[]) => {
  const seen: unknown[] = [];
  const { ended } = runInSandbox('runner', 'program', (message) => seen.push(message));
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
  for (const message of messages) {
    port?.postMessage(message);
  }
  return { seen, ending: await ended };
};

beforeEach(() => {
  vi.stubGlobal('document', { createElement: () => frame, body: { append: () => undefined } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const TAMPERED = mocks({ requests: [{ ...ROW, operation: NODE }] });

test.for<[what: string, messages: unknown[], seen: number, ending: Ending]>([
  ['reports its end', [LINE, { type: 'finished', failed: false }, LINE], 1, 'finished'],
  ['sends what the page does not understand', [TAMPERED, LINE], 0, 'tampered'],
  ['floods the page', Array.from({ length: 2_001 }, () => LINE), 2_000, 'tampered'],
])('runInSandbox() removes the frame of a program that %s', async ([, messages, seen, ending]) => {
  const run = await runWith(messages);
  expect(run.ending).toBe(ending);
  expect(run.seen).toEqual(messages.slice(0, seen));
  expect(frame.remove).toHaveBeenCalledOnce();
});
