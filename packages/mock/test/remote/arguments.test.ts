import { afterAll, expect, test } from 'vitest';
import { MockError } from '../../src/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { secret } from '../support/receiver.ts';
import { startForFile } from '../support/serving.ts';

const { server } = await startForFile({}, { data: 'demo' });
const remote = await connectMock(server.url);

afterAll(() => server.close());

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
  ['leads.create()', (it) => it.leads.create(), 'A value that is undefined cannot be sent to a remote mock.'],
  ['leads.get()', (it) => it.leads.get(), '`id` must be a non-empty string, got undefined'],
  ['leads.find(null)', (it) => it.leads.find(null), 'where must be a JSON object'],
  ['requests.of()', (it) => it.requests.of(), '`operation` must be a non-empty string'],
  ['requests.count(5)', (it) => it.requests.count(5), 'must be a JSON object, got a number'],
  ['clock.set(NaN)', (it) => it.clock.set(Number.NaN), '`set` is NaN'],
  ['a field', (it) => it.keys.create({ scops: [] }), 'Unknown key field `scops`. Did you mean `scopes`?'],
  ['a filter', (it) => it.requests.list({ statuz: 5 }), 'Did you mean `status`?'],
  ['a delivery', (it) => it.webhooks.redeliver('x'), 'No delivery has the id x'],
])('a remote mock refuses %s with the reason', async (_, act, says) => {
  expect(await refusalOf(act)).toContain(says);
});

const circle: { self?: object } = {};
circle.self = circle;

test.each<[string, (it: Any) => Promise<unknown>, string]>([
  ['NaN', (it) => it.leads.create({ notes: Number.NaN }), '`notes` is NaN, which cannot be sent'],
  ['Infinity', (it) => it.webhooks.emit('x', { ms: Number.POSITIVE_INFINITY }), '`data.ms` is Infinity'],
  ['a regular expression', (it) => it.requests.count({ body: { name: /^A/ } }), '`body.name` is a RegExp'],
  ['a Map', (it) => it.webhooks.emit('x', { list: [1, new Map()] }), '`data.list[1]` is a Map'],
  ['a hole in a list', (it) => it.webhooks.emit('x', new Array(1)), '`data[0]` is undefined'],
  ['a bigint', (it) => it.webhooks.emit('x', 5n), '`data` is a bigint'],
  ['a function', (it) => it.faults.once('leads.list', () => {}), '`fault` is a function'],
  ['a circle', (it) => it.webhooks.emit('x', circle), '`data.self` is a circular reference'],
  ['a matcher', (it) => it.requests.count({ body: expect.anything() }), '`body` is an asymmetric matcher'],
  ['NaN in a filter', (it) => it.requests.list({ limit: Number.NaN }), '`limit` is NaN'],
])('a remote mock refuses %s with its path, because JSON would change it silently', async (_, act, says) => {
  expect(await refusalOf(act)).toContain(says);
});

test.each<[string, (it: typeof remote) => unknown]>([
  ['requests.all', (it) => it.requests.all.length],
  ['faults.planned', (it) => it.faults.planned.length],
  ['webhooks.endpoints', (it) => it.webhooks.endpoints.length],
  ['webhooks.deliveries', (it) => it.webhooks.deliveries.length],
])(
  'the length of %s, which is a method of a remote mock, throws an error that says how to get it',
  (name, read) => {
    expect(() => read(remote)).toThrow(`Use (await mock.${name}()).length`);
  },
);

test('a remote mock sends everything that JSON can express, and leaves out undefined fields', async () => {
  const shared = { n: 1 };
  await remote.webhooks.add({ url: 'http://127.0.0.1:9/', secret, headers: undefined, retries: [] });
  const sent = { at: new Date(0), twice: [shared, shared], none: null, left: undefined };
  await remote.webhooks.emit('x', sent);
  expect((await remote.webhooks.deliveries()).at(-1)?.data).toEqual(JSON.parse(JSON.stringify(sent)));
});
