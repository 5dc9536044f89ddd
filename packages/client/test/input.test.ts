import { beforeEach, expect, test } from 'vitest';
import type { Confab } from '../src/index.ts';
import { ConfabError, InvalidRequestError } from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { agentReply, conversation, ids, message } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

let sent = 0;
let sentBody: unknown;
let confab: Confab;
let answer: unknown;
beforeEach(() => {
  sent = 0;
  answer = undefined;
  confab = clientWith({
    fetch: async (_, { body }) => {
      sent += 1;
      sentBody = body;
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
    [0, 101, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 5n as never, {} as never].map(
      (limit) => () => listWith(limit),
    ),
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
])('%s: values at the bounds are sent, and values beyond them are not', async (_, body, inside, beyond) => {
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

test('the error for invalid input lists every problem with its path', async () => {
  const error = await refused(
    confab.conversations.list({ limit: 500, status: 'closed' as 'open', pipelineId: 'x', page: 2 } as object),
  );
  expect(error.issues).toEqual([
    { path: 'query.limit', message: 'must be a whole number from 1 to 100, got 500' },
    { path: 'query.status', message: 'must be one of "open", "snoozed", "resolved", got "closed"' },
    { path: 'query.pipelineId', message: 'must be a UUID, got "x"' },
    { path: 'query', message: 'has unknown fields: page. Did you mean `offset`?' },
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

const invalidDate = new Date(Number.NaN);
const circle: { self?: object } = {};
circle.self = circle;
/** A date of some libraries becomes null if it is invalid. */
const becomesNull = { toJSON: () => null };
class Person {
  readonly #name = 'Ana';
  get displayName() {
    return this.#name;
  }
}

test.each<[unknown, string]>([
  [Number.NaN, 'NaN'],
  [Number.NEGATIVE_INFINITY, '-Infinity'],
  [invalidDate, 'an invalid date'],
  [becomesNull, 'an object that JSON writes as null'],
  [Symbol('x'), 'a symbol'],
  [() => 'x', 'a function'],
  [442079460001n, 'a bigint: pass a string'],
  [Promise.resolve('x'), 'a Promise: await it'],
  [new Map(), 'a Map: use Object.fromEntries'],
  [new Set(['x']), 'a Set'],
  [/x/, 'a RegExp'],
  [new Uint8Array(2), 'a Uint8Array'],
  [Buffer.from('x'), 'a Uint8Array'],
  [new Person(), 'an object without fields of its own'],
])('a value that JSON would leave out or change is refused by its name: %s', async (value, got) => {
  const message = `must be JSON data, got ${got}`;
  const { issues } = await refused(confab.leads.update(ids.lead, { status: 'new', email: value as string }));
  expect(issues).toEqual([{ path: 'body.email', message }]);
  const body = { tags: [{ values: [1, value] }] };
  const post = confab.request({ method: 'POST', path: '/api/v2/public/tags', body });
  expect((await refused(post)).issues).toEqual([{ path: 'body.tags[0].values[1]', message }]);
  const root = confab.leads.update(ids.lead, value as object);
  expect((await refused(root)).issues).toEqual([{ path: 'body', message }]);
});

test.each([
  ['body[0] must be JSON data, got undefined', [undefined]],
  ['body[0] must be JSON data, got undefined', new Array(1)],
  ['body.self must be JSON data, got a circular reference', circle],
  ['body[9] must be JSON data, got NaN', Array(1_000).fill(Number.NaN)],
])('the body of a request must not lose values or refer to itself: %s', async (message, body) => {
  const error = await refused(confab.request({ method: 'POST', path: '/a', body }));
  expect(error.issues.length).toBeLessThanOrEqual(10);
  expect(error.message).toContain(message);
});

test('an undefined field is left out, and everything that JSON can express is sent', async () => {
  answer = { success: true, data: 1 };
  const body = {
    left: undefined,
    none: null,
    at: new Date(0),
    list: [1],
    zero: -0,
    ...JSON.parse('{"then":"x"}'),
  };
  await confab.request({ method: 'POST', path: '/a', body });
  expect(sentBody).toBe('{"none":null,"at":"1970-01-01T00:00:00.000Z","list":[1],"zero":0,"then":"x"}');
});

test('the error for invalid input lists values that JSON would lose and breaches of the contract together', async () => {
  const { issues } = await refused(
    confab.leads.create({ displayName: Number.NaN, pipelineId: 'x' } as never),
  );
  expect(issues.map(({ path }) => path).sort()).toEqual([
    'body.displayName',
    'body.phone',
    'body.pipelineId',
  ]);
});

const notAwaited = Promise.resolve({}) as object;
const limited = { limit: 10 } as object;

test.each<[what: string, call: () => unknown, message: string]>([
  [
    'a signal for options',
    () => confab.leads.get(ids.lead, signal),
    'The leads.get options must be an object, got an AbortSignal: pass { signal }.',
  ],
  ['a signal for a query', () => confab.leads.list(signal), 'got an AbortSignal: pass { signal }'],
  ['a promise of options', () => confab.leads.get(ids.lead, notAwaited), 'got a Promise: await it'],
  ['a promise of a body', () => confab.leads.create(notAwaited as never), 'got a Promise: await it'],
  [
    'a promise of an id',
    () => confab.leads.get(notAwaited as never),
    'id must be a string, got a Promise: await it',
  ],
  [
    'a date for a funnel',
    () => confab.analytics.funnel('2026-01-01' as never),
    "a plain object such as { from: '2026-01-31T12:00:00Z' }, got a string",
  ],
  [
    'a field of the query as an option',
    () => confab.leads.list({}, limited),
    '`limit` is a field of the query: pass it in the first argument.',
  ],
  [
    'a field of a body as an option',
    () => confab.leads.update(ids.lead, {}, { email: 'ana@example.com' } as object),
    '`email` is a field of the body: pass it in the second argument.',
  ],
  [
    'an option of the client as one of a call',
    () => confab.agents.list({ baseUrl: 'https://example.com' } as object),
    '`baseUrl` is an option of createClient.',
  ],
  [
    'an option of a call as one of the client',
    () => clientWith({ signal } as object),
    '`signal` is an option of each call.',
  ],
  [
    'an option of a list as one of the client',
    () => clientWith({ prefetch: 2 } as object),
    '`prefetch` is an option of lists.',
  ],
  [
    'a mock in place of options',
    () => clientWith({ clientOptions: {} } as object),
    'Unknown createClient option `clientOptions`. Pass `mock.clientOptions` alone.',
  ],
  [
    'a name from Object.prototype as an option of a call',
    () => confab.leads.create({ phone: '+5511987654321' }, { constructor: 1 } as object),
    'Unknown leads.create option `constructor`. Known: ',
  ],
  [
    'the body of a request by the name of axios',
    () => confab.request({ method: 'POST', path: '/a', data: {} } as never),
    'Unknown request field `data`. Did you mean `body`?',
  ],
  [
    'the method of a request alone',
    () => confab.request('GET' as never, '/a' as never),
    '`request` must be an object, got a string: pass { method, path }.',
  ],
  [
    'an option in a request',
    () => confab.request({ method: 'GET', path: '/a', headers: {} } as never),
    '`headers` is an option: pass it in the next argument.',
  ],
])('the error for an argument in the wrong place has a hint: %s', async (_, call, message) => {
  const error = await errorOf((async () => call())(), ConfabError);
  expect(error.message).toContain(message);
  expect(error instanceof InvalidRequestError ? error.issues.length : 1).toBe(1);
  expect(sent).toBe(0);
});

test.each([5n, '10', {}, [10]])(
  'leads.list().all() does not send a limit that is not a number: %o',
  async (limit) => {
    const list = confab.leads.list({ limit: limit as number });
    expect((await refused(list.all())).issues[0]?.message).toContain('must be a number, got');
  },
);

test('the error for text that is too long says its length, and does not show it', async () => {
  const { issues } = await refused(sendText('😀'.repeat(4_097)));
  const message = 'must have 0 to 4096 characters (Unicode code points), got a string of 4097 characters';
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
])('a funnel range that is not a valid date-time with an offset is not sent: %s', async (from) => {
  const { issues } = await refused(confab.analytics.funnel({ from }));
  expect(issues[0]?.path).toBe('query.from');
});

test('the body is checked as toJSON returns it', async () => {
  const body = Object.create({ toJSON: () => ({ phone: '+5511987654321', evil: 1 }) });
  body.phone = '+5511987654321';
  const { issues } = await refused(confab.leads.create(body));
  expect(issues[0]?.message).toContain('evil');
});

test('the error for the wrong name of a text suggests the right one', async () => {
  const message = confab.conversations.sendMessage(ids.conversation, { text: 'Hi' } as never);
  expect((await refused(message)).message).toContain('Did you mean `content`?');
  const toAgent = confab.agents.invoke(ids.agent, { message: 'Hi' } as never);
  expect((await refused(toAgent)).message).toContain('Did you mean `userMessage`?');
});
