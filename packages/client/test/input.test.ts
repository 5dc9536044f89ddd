import { beforeEach, describe, expect, test } from 'vitest';
import type { Confab } from '../src/index.ts';
import { InvalidRequestError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { agentReply, conversation, ids, message } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

let sent = 0;
let confab: Confab;
let answer: unknown;
beforeEach(() => {
  sent = 0;
  answer = undefined;
  confab = clientWith({
    fetch: async () => {
      sent += 1;
      return Response.json(answer);
    },
  });
});

/** In the place of options, as many fetch-like functions take it. */
const signal = AbortSignal.abort() as object;

const refused = async (call: PromiseLike<unknown>): Promise<InvalidRequestError> => {
  const error = await errorOf(call, InvalidRequestError);
  expect(sent).toBe(0);
  return error;
};

const list = { success: true, data: [], meta: { total: 0, limit: 1, offset: 0 } };
const detail = { success: true, data: { ...conversation, messages: [] } };
const sentMessage = { success: true, data: message };
const reply = { success: true, data: agentReply };
const listWith = (limit: number) => confab.leads.list({ limit });
const getWith = (messagesLimit: number) => confab.conversations.get(ids.conversation, { messagesLimit });
const sendText = (content: string) => confab.conversations.sendMessage(ids.conversation, { content });
const invoke = (userMessage: string) => confab.agents.invoke(ids.agent, { userMessage });

test.each<[string, object, sent: (() => PromiseLike<unknown>)[], refused: (() => PromiseLike<unknown>)[]]>([
  [
    'limit, 1 to 100',
    list,
    [1, 100].map((limit) => () => listWith(limit)),
    [0, 101, 1.5, -1, Number.NaN].map((limit) => () => listWith(limit)),
  ],
  [
    'messagesLimit, 1 to 100',
    detail,
    [1, 100].map((limit) => () => getWith(limit)),
    [0, 101].map((limit) => () => getWith(limit)),
  ],
  ['offset, from 0', list, [], [() => confab.conversations.list({ offset: -1 })]],
  // Counted in code points, not UTF-16 units.
  [
    'content, at most 4096',
    sentMessage,
    ['😀'.repeat(4096), ''].map((text) => () => sendText(text)),
    [() => sendText('😀'.repeat(4097))],
  ],
  [
    'userMessage, 1 to 4000',
    reply,
    ['x', '👍'.repeat(4000)].map((text) => () => invoke(text)),
    ['', 'ã'.repeat(4001)].map((text) => () => invoke(text)),
  ],
])('%s: the bounds are sent, and what is beyond them is not', async (_, body, inside, beyond) => {
  for (const call of beyond) {
    expect((await refused(call())).issues).toHaveLength(1);
  }
  answer = body;
  for (const call of inside) {
    await call();
  }
  expect(sent).toBe(inside.length);
});

test.each(['', 'abc', '../leads', `${ids.lead}/x`, `${ids.lead}\n`, '..%2f', 42])(
  'an id that is not a UUID never enters a path: %j',
  async (id) => {
    const { issues } = await refused(confab.leads.get(id as string));
    expect(issues[0]?.path).toBe('id');
  },
);

test('every problem is listed, with its path', async () => {
  const error = await refused(
    confab.conversations.list({ limit: 500, status: 'closed' as 'open', pipelineId: 'x', page: 2 } as object),
  );
  expect(error.issues).toEqual([
    { path: 'query.limit', message: 'must be a whole number from 1 to 100, got 500' },
    { path: 'query.status', message: 'must be one of "open", "snoozed", "resolved", got "closed"' },
    { path: 'query.pipelineId', message: 'must be a UUID, got "x"' },
    { path: 'query', message: 'has unknown fields: page. Known: limit, offset, status, pipelineId' },
  ]);
  expect(error.message).toContain('conversations.list was not sent');
  expect(error.message).toContain('query.limit must be a whole number from 1 to 100, got 500');
  expect(error).toMatchObject({
    name: 'InvalidRequestError',
    code: 'INVALID_REQUEST',
    operation: 'conversations.list',
  });
});

test.each([
  [{}, 'body.phone must be a string, got undefined'],
  [
    { phone: '+5511987654321', pipelineid: ids.pipeline },
    'body has unknown fields: pipelineid. Did you mean `pipelineId`?',
  ],
  [
    { phone: '+5511987654321', timeout: 5 },
    'body has unknown fields: timeout. `timeout` is an option: pass it in the next argument',
  ],
  [undefined, 'body must be an object, got undefined'],
])('a body that breaks the contract is not sent: %j', async (body, message) => {
  const error = await refused(confab.leads.create(body as never));
  expect(error.issues.map(({ path, message }) => `${path} ${message}`)).toEqual([message]);
});

test.each<[what: string, call: () => unknown, message: string]>([
  [
    'a signal for options',
    () => confab.leads.get(ids.lead, signal),
    'options of leads.get must be an object',
  ],
  ['a list of a signal', () => confab.leads.list({}).all(signal), 'an object, got an AbortSignal'],
  ['many of a signal', () => confab.leads.ensureMany([], signal), 'an object, got an AbortSignal'],
  ['a Map as a body', () => confab.leads.update(ids.lead, new Map() as object), 'got a Map'],
  ['dates for a funnel', () => confab.analytics.funnel(new URLSearchParams() as object), 'a URLSearchParams'],
  [
    'a Map of more parameters',
    () => confab.leads.list({}, { extraQuery: new Map() as never }),
    'extraQuery must be an',
  ],
  ['a promise of a body', () => confab.leads.create(Promise.resolve() as never), 'got a Promise'],
])('what looks like an empty object, but is none, is refused: %s', async (_, call, message) => {
  expect((await errorOf((async () => call())(), Error)).message).toContain(message);
  expect(sent).toBe(0);
});

test.each([
  [
    { signal: AbortSignal.abort() },
    'has unknown fields: signal. `signal` is an option: pass it in the next argument',
  ],
  [{ prefetch: 2 }, 'has unknown fields: prefetch. `prefetch` is an option: pass it in the next argument'],
])('an option in a query says where options go', async (query, message) => {
  const error = await refused(confab.leads.list(query as object));
  expect(error.issues).toContainEqual({ path: 'query', message });
});

test('a text that is too long is shortened and counted', async () => {
  const { issues } = await refused(sendText('😀'.repeat(4_097)));
  const message = `must have 0 to 4096 characters (Unicode code points), got "${'😀'.repeat(20)}…" (4097 characters)`;
  expect(issues).toEqual([{ path: 'body.content', message }]);
});

test.each([
  new Date('nonsense'),
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00+24:00',
])('a funnel range that is no date-time with an offset, or does not exist, is not sent: %s', async (from) => {
  const { issues } = await refused(confab.analytics.funnel({ from }));
  expect(issues[0]?.path).toBe('query.from');
});

test.each([
  ['conversations.sendMessage', { text: 'Hi' }, 'content'],
  ['conversations.sendMessage', { message: 'Hi' }, 'content'],
  ['agents.invoke', { message: 'Hi' }, 'userMessage'],
])('%s with %j: the right name is suggested', async (operation, body, meant) => {
  const call =
    operation === 'agents.invoke'
      ? confab.agents.invoke(ids.agent, body as never)
      : confab.conversations.sendMessage(ids.conversation, body as never);
  expect((await refused(call)).message).toContain(`Did you mean \`${meant}\`?`);
});

describe('an object that is not what is sent', () => {
  test('what toJSON returns is checked', async () => {
    const body = Object.create({ toJSON: () => ({ phone: '+5511987654321', evil: 1 }) });
    body.phone = '+5511987654321';
    const { issues } = await refused(confab.leads.create(body));
    expect(issues[0]?.message).toContain('evil');
  });

  test.each([new URLSearchParams('status=new'), new Map([['status', 'new']]), 5])(
    'as a query, %s is not sent',
    async (query) => {
      const { issues } = await refused(confab.leads.list(query as never));
      expect(issues).toContainEqual({
        path: 'query',
        message: expect.stringContaining('must be a plain object'),
      });
      await refused(confab.conversations.get(ids.conversation, query as never));
    },
  );
});
