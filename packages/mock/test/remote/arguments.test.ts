import { afterAll, beforeAll, expect, test } from 'vitest';
import { MockError } from '../../src/index.ts';
import type { RemoteMock } from '../../src/remote/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { start } from '../support/serving.ts';

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

const OBJECT = 'the argument must be an object, got ';
const ID = '`id` must be a string that is not empty, got ';
const UNDEFINED = "A value that is undefined can't be sent to a remote mock.";

test.each<[string, (it: Any) => Promise<unknown>, string]>([
  ['leads.create()', (it) => it.leads.create(), UNDEFINED],
  ['leads.create(5)', (it) => it.leads.create(5), `${OBJECT}5`],
  ['leads.get()', (it) => it.leads.get(), `${ID}undefined`],
  ['leads.find(null)', (it) => it.leads.find(null), 'where must be a JSON object'],
  ['leads.count([])', (it) => it.leads.count([]), 'where must be a JSON object'],
  ['leads.update(id)', (it) => it.leads.update('x'), UNDEFINED],
  ['leads.update(5)', (it) => it.leads.update(5, {}), `${ID}5`],
  ['agents.delete("")', (it) => it.agents.delete(''), `${ID}""`],
  ['inbound()', (it) => it.inbound(), UNDEFINED],
  ['restore(id)', (it) => it.restore('abc'), `${ID}undefined`],
  ['deleteSnapshot({})', (it) => it.deleteSnapshot({}), `${ID}undefined`],
  ['requests.of()', (it) => it.requests.of(), '`operation` must be a string that is not empty'],
  ['requests.count(5)', (it) => it.requests.count(5), `${OBJECT}5`],
  ['keys.revoke()', (it) => it.keys.revoke(), 'key is required'],
  ['faults.once()', (it) => it.faults.once(), 'operation is required; fault is required'],
  ['webhooks.emit()', (it) => it.webhooks.emit(), 'event is required'],
  ['webhooks.redeliver()', (it) => it.webhooks.redeliver(), `${ID}undefined`],
  ['clock.advance(NaN)', (it) => it.clock.advance(Number.NaN), '`advance` is NaN'],
  ['clock.set(NaN)', (it) => it.clock.set(Number.NaN), '`set` is an invalid date'],
  ['worlds.create(null)', (it) => it.worlds.create(null), `${OBJECT}null`],
])('%s says what is wrong', async (_, act, says) => {
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
