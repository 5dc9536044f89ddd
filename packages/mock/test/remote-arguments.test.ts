import { afterAll, beforeAll, expect, test } from 'vitest';
import { MockError } from '../src/index.ts';
import type { RemoteMock } from '../src/remote/index.ts';
import { connectMock } from '../src/remote/index.ts';
import { start } from './support/serving.ts';

let service: Awaited<ReturnType<typeof start>>;
let remote: RemoteMock;

beforeAll(async () => {
  service = await start({}, { data: 'demo' });
  remote = await connectMock(service.server.url);
});

afterAll(() => service.server.close());

/** The message of the refusal. */
const refusalOf = async (act: (it: never) => Promise<unknown>): Promise<string> => {
  const error = await act(remote as never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MockError);
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  return (error as MockError).message;
};

// biome-ignore lint/suspicious/noExplicitAny: the arguments are wrong on purpose
type Any = any;

test.each<[string, (it: Any) => Promise<unknown>, string]>([
  [
    'leads.create()',
    (it) => it.leads.create(),
    'leads.create() must be called with an object with row fields, got undefined',
  ],
  [
    'leads.create(5)',
    (it) => it.leads.create(5),
    'leads.create() must be called with an object with row fields, got 5',
  ],
  ['leads.get()', (it) => it.leads.get(), 'leads.get() must be called with the id of a row, got undefined'],
  [
    'leads.find(null)',
    (it) => it.leads.find(null),
    'leads.find() must be called with an object with row fields, got null',
  ],
  ['leads.count([])', (it) => it.leads.count([]), 'got an array'],
  [
    'leads.update(id)',
    (it) => it.leads.update('x'),
    'leads.update(id, fields) must be called with an object with row fields, got undefined',
  ],
  [
    'leads.update(5)',
    (it) => it.leads.update(5, {}),
    'leads.update() must be called with the id of a row, got 5',
  ],
  [
    'leads.delete()',
    (it) => it.leads.delete(),
    'leads.delete() must be called with the id of a row, got undefined',
  ],
  [
    'agents.delete("")',
    (it) => it.agents.delete(''),
    'agents.delete() must be called with the id of a row, got ""',
  ],
  [
    'inbound()',
    (it) => it.inbound(),
    "inbound() must be called with an object, such as { phone: '+5511987654321', body: 'Hello' }, got undefined",
  ],
  [
    'restore(id)',
    (it) => it.restore('abc'),
    'restore() must be called with a snapshot that snapshot() returned, or { id }, got "abc"',
  ],
  [
    'restore({})',
    (it) => it.restore({}),
    'restore() must be called with a snapshot that snapshot() returned, or { id }, got undefined',
  ],
  ['restore()', (it) => it.restore(), 'restore() must be called with a snapshot'],
  ['deleteSnapshot()', (it) => it.deleteSnapshot(), 'deleteSnapshot() must be called with a snapshot'],
  [
    'requests.list(null)',
    (it) => it.requests.list(null),
    'requests.list() must be called with an object with filters',
  ],
  [
    'requests.of()',
    (it) => it.requests.of(),
    "requests.of() must be called with an operation, such as 'leads.list', got undefined",
  ],
  ['requests.verify()', (it) => it.requests.verify(), 'requests.verify() must be called with an object'],
  ['requests.count(5)', (it) => it.requests.count(5), 'requests.count() must be called with an object'],
  ['keys.create(5)', (it) => it.keys.create(5), 'keys.create() must be called with an object'],
  [
    'keys.revoke()',
    (it) => it.keys.revoke(),
    'keys.revoke() must be called with a key, or its id, got undefined',
  ],
  [
    'faults.once()',
    (it) => it.faults.once(),
    "faults.once() must be called with an operation, such as 'leads.list', or '*', got undefined",
  ],
  [
    'faults.always(operation)',
    (it) => it.faults.always('*'),
    'faults.always(operation, fault) must be called with a fault, such as { status: 503 }, got undefined',
  ],
  [
    'faults.remove()',
    (it) => it.faults.remove(),
    'faults.remove() must be called with the id of a planned fault',
  ],
  [
    'webhooks.add()',
    (it) => it.webhooks.add(),
    'webhooks.add() must be called with an endpoint, such as { url, secret }',
  ],
  [
    'webhooks.remove()',
    (it) => it.webhooks.remove(),
    'webhooks.remove() must be called with the id that webhooks.add() returned',
  ],
  [
    'webhooks.emit()',
    (it) => it.webhooks.emit(),
    "webhooks.emit() must be called with the name of an event, such as 'order.paid'",
  ],
  [
    'webhooks.redeliver()',
    (it) => it.webhooks.redeliver(),
    'webhooks.redeliver() must be called with the id of a delivery',
  ],
  [
    'deliveryFaults.once()',
    (it) => it.webhooks.deliveryFaults.once(),
    'deliveryFaults.once() must be called with a fault, such as { copies: 2 }',
  ],
  [
    'clock.advance(NaN)',
    (it) => it.clock.advance(Number.NaN),
    'clock.advance() must be called with milliseconds (0 or more), got NaN',
  ],
  [
    'worlds.create(null)',
    (it) => it.worlds.create(null),
    "worlds.create() must be called with an object with options, such as { data: 'demo' }, got null",
  ],
  ['worlds.delete()', (it) => it.worlds.delete(), 'worlds.delete() must be called with the id of a world'],
])('%s says what to pass', async (_, act, says) => {
  expect(await refusalOf(act)).toContain(says);
});

const circle: { self?: object } = {};
circle.self = circle;

test.each<[string, (it: Any) => Promise<unknown>, string]>([
  ['NaN', (it) => it.leads.create({ notes: Number.NaN }), "`notes` is NaN, which can't be sent"],
  [
    'Infinity',
    (it) => it.faults.once('*', { delayMs: Number.POSITIVE_INFINITY }),
    '`fault.delayMs` is Infinity',
  ],
  ['-Infinity', (it) => it.keys.create({ rateLimit: Number.NEGATIVE_INFINITY }), '`rateLimit` is -Infinity'],
  ['a regular expression', (it) => it.requests.count({ body: { name: /^A/ } }), '`body.name` is a RegExp'],
  ['a regular expression in a filter', (it) => it.leads.find({ phone: /^\+55/ }), '`phone` is a RegExp'],
  ['a Map', (it) => it.webhooks.emit('x', { list: [1, new Map()] }), '`data.list[1]` is a Map'],
  [
    'undefined in a list',
    (it) => it.webhooks.emit('x', { list: [undefined] }),
    '`data.list[0]` is undefined',
  ],
  ['a hole in a list', (it) => it.webhooks.emit('x', new Array(1)), '`data[0]` is undefined'],
  ['a bigint', (it) => it.webhooks.emit('x', 5n), '`data` is a bigint'],
  ['a symbol', (it) => it.webhooks.emit('x', { a: Symbol('b') }), '`data.a` is a symbol'],
  [
    'an invalid date',
    (it) => it.webhooks.emit('x', { at: new Date(Number.NaN) }),
    '`data.at` is an invalid date',
  ],
  ['a circle', (it) => it.webhooks.emit('x', circle), '`data.self` is a circular reference'],
  ['a matcher', (it) => it.requests.count({ body: expect.anything() }), '`body` is an asymmetric matcher'],
  ['NaN in a filter', (it) => it.requests.list({ limit: Number.NaN }), '`limit` is NaN'],
])('%s is refused with its path, because JSON would change it silently', async (_, act, says) => {
  expect(await refusalOf(act)).toContain(says);
});

test('what JSON can express is sent, and an undefined field is left out', async () => {
  const shared = { n: 1 };
  const id = await remote.webhooks.add({
    url: 'http://127.0.0.1:9/',
    secret: 'whsec_0123456789',
    timeout: Number.POSITIVE_INFINITY,
    headers: undefined,
    retries: [],
  });
  await remote.webhooks.emit('x', { at: new Date(0), twice: [shared, shared], none: null, left: undefined });
  expect((await remote.webhooks.deliveries()).at(-1)?.data).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    twice: [shared, shared],
    none: null,
  });
  await remote.webhooks.remove(id);
});

test.each<[string, (it: Any) => Promise<unknown>, string]>([
  ['a wrong value', (it) => it.leads.create({ status: 5 }), 'status must be a string, got 5'],
  ['a missing field', (it) => it.inbound({ phone: '+5511987654321' }), 'body is required'],
  [
    'an unknown field',
    (it) => it.keys.create({ scops: [] }),
    'the argument has unknown fields: scops. Did you mean scopes?',
  ],
  [
    'an unknown filter',
    (it) => it.requests.list({ statuz: 5 }),
    'Unknown filter `statuz`. Did you mean `status`?',
  ],
])('%s is named as in code, not as a part of the request', async (_, act, says) => {
  expect(await refusalOf(act)).toBe(says);
});
