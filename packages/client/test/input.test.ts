import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Confab } from '../src/index.ts';
import { createClient, InvalidRequestError } from '../src/index.ts';
import { agentReply, conversation, ids, KEY, message } from './support/data.ts';

let sent = 0;
let confab: Confab;
let answer: unknown;
beforeEach(() => {
  sent = 0;
  answer = undefined;
  confab = createClient({
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    fetch: async () => {
      sent += 1;
      return Response.json(answer);
    },
  });
});
afterEach(() => {
  answer = undefined;
});

const refused = async (call: PromiseLike<unknown>): Promise<InvalidRequestError> => {
  const error = await Promise.resolve(call).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(sent).toBe(0);
  return error as InvalidRequestError;
};

describe('the limits table', () => {
  test.each([0, 101, 1.5, -1, Number.NaN])('limit parameter, 1 to 100: %s is not sent', async (limit) => {
    const { issues } = await refused(confab.leads.list({ limit }));
    expect(issues).toEqual([{ path: 'query.limit', message: expect.stringContaining(String(limit)) }]);
    await refused(confab.conversations.list({ limit }));
  });

  test.each([1, 100])('limit parameter, 1 to 100: %s is sent', async (limit) => {
    answer = { success: true, data: [], meta: { total: 0, limit, offset: 0 } };
    await confab.leads.list({ limit });
    expect(sent).toBe(1);
  });

  test('offset parameter, minimum 0: -1 is not sent', async () => {
    const { issues } = await refused(confab.conversations.list({ offset: -1 }));
    expect(issues).toEqual([{ path: 'query.offset', message: 'must be a whole number from 0, got -1' }]);
  });

  test.each([0, 101])('messagesLimit, 1 to 100: %s is not sent', async (messagesLimit) => {
    await refused(confab.conversations.get(ids.conversation, { messagesLimit }));
  });

  test('messagesLimit, 1 to 100: both ends are sent', async () => {
    answer = { success: true, data: { ...conversation, messages: [] } };
    await confab.conversations.get(ids.conversation, { messagesLimit: 1 });
    await confab.conversations.get(ids.conversation, { messagesLimit: 100 });
    expect(sent).toBe(2);
  });

  test('content length, at most 4096: counted in code points, not UTF-16 units', async () => {
    await refused(confab.conversations.sendMessage(ids.conversation, { content: '😀'.repeat(4097) }));
    answer = { success: true, data: message };
    await confab.conversations.sendMessage(ids.conversation, { content: '😀'.repeat(4096) });
    await confab.conversations.sendMessage(ids.conversation, { content: '' });
    expect(sent).toBe(2);
  });

  test('userMessage length, 1 to 4000: both bounds, and one beyond each', async () => {
    await refused(confab.agents.invoke(ids.agent, { userMessage: '' }));
    await refused(confab.agents.invoke(ids.agent, { userMessage: 'ã'.repeat(4001) }));
    answer = { success: true, data: agentReply };
    await confab.agents.invoke(ids.agent, { userMessage: 'x' });
    await confab.agents.invoke(ids.agent, { userMessage: '👍'.repeat(4000) });
    expect(sent).toBe(2);
  });
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
    { path: 'query', message: 'has unknown fields: page' },
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
  [{ phone: 5511987654321 }, 'body.phone must be a string, got 5511987654321'],
  [
    { phone: '+5511987654321', pipelineid: ids.pipeline },
    'body has unknown fields: pipelineid. Did you mean `pipelineId`?',
  ],
  [
    { phone: '+5511987654321', name: 'Ana', phoneNumber: '1' },
    'body has unknown fields: name, phoneNumber. Did you mean `displayName`, `phone`?',
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

test.each([
  new Date('nonsense'),
  new Date(8.64e15),
  '2026-01-01',
  '2026-01-01T00:00:00',
  'yesterday',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2016-12-31T23:59:60Z',
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

  test.each([
    new URLSearchParams('status=new'),
    new Map([['status', 'new']]),
    ['new'],
    5,
    () => ({ status: 'new' }),
    'status=new',
  ])('as a query, %s is not sent', async (query) => {
    const { issues } = await refused(confab.leads.list(query as never));
    expect(issues).toContainEqual({
      path: 'query',
      message: expect.stringContaining('must be a plain object'),
    });
    await refused(confab.conversations.get(ids.conversation, query as never));
  });
});
