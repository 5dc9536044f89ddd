import { expect, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { createMock, MockError } from '../../src/index.ts';
import { PHONE } from '../support/hosts.ts';

/** A value of the wrong type, as JavaScript can pass it. */
const untyped = (value: unknown) => value as never;

const ENDPOINT = { url: 'http://receiver.test/', secret: 'whsec_SECRET' };

test.each<[options: unknown, says: string]>([
  [null, 'The createMock() options must be an object, got '],
  ['demo', "The createMock() options must be an object, got a string: pass { data: 'demo' }."],
  [Promise.resolve({}), 'The createMock() options must be an object, got a Promise: await it'],
  [{ apiKey: 'mine' }, 'createMock() option `apiKey`. Use `keys: [{ key }]`.'],
  [{ leads: [] }, 'createMock() option `leads`. Use `data: { leads }`.'],
  [{ data: './rows.json' }, 'Read and parse the file; only --data takes a path.'],
  [{ ratelimit: 5 }, 'Unknown createMock() option `ratelimit`. Did you mean `rateLimit`?'],
  [{ data: 'dmeo' }, '`data` must be one of "minimal", "demo", got "dmeo".'],
  [{ keys: 'SECRET' }, '`keys` must be an array, such as [{ key:'],
  [{ keys: [{}, 'SECRET'] }, '`key` must be an object, got a string.'],
  [{ keys: [{ rateLimit: { requests: 1, perMS: 1 } }] }, 'Unknown key.rateLimit field `perMS`. Did you'],
  [{ scopes: { 'leads.list': 'reed:leads' } }, '`scopes.leads.list` must be read:<resource> or write:<r'],
  [{ scopes: { 'leads.list': 'xread:leads' } }, '`scopes.leads.list` must be read:'],
  [{ scopes: { 'leads.list': 'read:leads!' } }, '`scopes.leads.list` must be read:'],
  [{ scopes: { 'leads.creat': 'write:leads' } }, 'scopes field `leads.creat`. Did you mean `leads.create`?'],
  [{ strict: 'yes' }, '`strict` must be true or false, got "yes"'],
  [{ rateLimit: -1 }, '`rateLimit` must be a whole number of requests per minute, Infinity, or { requests'],
  [
    { rateLimit: { requests: 5, perMs: 0 } },
    '`rateLimit.perMs` must be a number of milliseconds greater than 0, got 0',
  ],
  [{ rateLimit: { requests: 1, perMs: 1, header: 'always' } }, 'Did you mean `headers`?'],
  [{ latency: -5 }, '`latency` must be a number of milliseconds of at least 0, got -5.'],
  [{ latency: { min: 5, max: 1 } }, 'a range whose `max` is at least its `min`, got {"min":5,"max":1}'],
  [{ latency: '250' }, 'milliseconds, such as 250, or a range, such as { min: 20, max: 80 }'],
  [{ latency: { min: 1, maxx: 2 } }, 'Unknown latency field `maxx`. Did you mean `max`?'],
  [{ maxLogBytes: -1 }, '`maxLogBytes` must'],
  [{ agents: { repsond: () => 'Hi' } }, 'Did you mean `respond`?'],
  [{ webhooks: { endpoint: [] } }, 'Unknown webhooks field `endpoint`. Did you mean `endpoints`?'],
  [{ webhooks: { endpoints: ENDPOINT } }, "`webhooks.endpoints` must be an array, such as [{ url: 'http:"],
  [{ webhooks: { events: { newConversations: 'c' } } }, 'Did you mean `newConversation`?'],
  [{ webhooks: { events: { newConversation: true } } }, '`webhooks.events.newConversation` must be a non-em'],
  [{ webhooks: { endpoints: [{ ...ENDPOINT, retrys: [] }] } }, 'field `retrys`. Did you mean `retries`?'],
  [{ webhooks: { endpoints: [{ ...ENDPOINT, retries: 3 }] } }, 'must be an array of milliseconds, such as'],
  [{ seed: 1.5 }, 'got 1.5'],
  [{ clock: 'systme' }, '`clock` must be one of "virtual", "system", got "systme".'],
  [{ agents: { respond: 5 } }, '`agents.respond` must be a function, got 5'],
  [{ webhooks: { endpoints: [{ ...ENDPOINT, fetch: {} }] } }, '`endpoint.fetch` must be a function'],
  [
    { rateLimit: { requests: 1, perMs: 1, headers: 'allways' } },
    'must be one of "refused", "always", got "allways".',
  ],
  [{ defaultCountry: 'br' }, 'must be a country code of two capital letters, such as "BR", got "br"'],
])('createMock(%j) throws and says why', (options, says) => {
  const create = () => createMock(untyped(options));
  expect(create).toThrow(MockError);
  expect(create).toThrow(expect.objectContaining({ message: expect.stringContaining(says) }));
  // A key in the wrong place must not end up in a log.
  expect(create).not.toThrow('SECRET');
});

test('createMock() ignores undefined options', () => {
  const names = 'data clock keys rateLimit scopes latency agents webhooks defaultCountry'.split(' ');
  const options = Object.fromEntries(names.map((name) => [name, undefined])) as MockOptions;
  expect(createMock({ ...options, scopes: { 'leads.list': undefined } }).leads.count()).toBe(0);
});

// biome-ignore lint/suspicious/noExplicitAny: the arguments are wrong on purpose
type Any = any;

test.each<[says: string, use: (it: Any) => unknown]>([
  ['Did you mean `status`?', (it) => it.leads.find({ staus: 'new' })],
  ['query: find((q) => q', (it) => it.leads.find((lead: { id: string }) => lead.id !== '')],
  ['Did you mean `phone`?', (it) => it.requests.count({ operation: 'leads.create', body: { phon: '1' } })],
  ['`key` must be a string', (it) => it.keys.revoke(it.keys.create())],
  ['`id` must be a string', (it) => it.faults.remove({ id: 'fault_1' })],
  ['`signal` must be an AbortSignal', (it) => it.clock.sleep(5, { signal: AbortSignal.abort() })],
  ['`text`. Did you mean `body`?', (it) => it.inbound({ phone: PHONE, text: 'Hi' })],
  ['must be called with the id of a delivery, got an object', (it) => it.webhooks.redeliver({} as never)],
  ['with the operation first', (it) => it.faults.once({ status: 503 } as never, 'leads.list' as never)],
  ['Unknown operation "leads.creat". Did you', (it) => it.faults.once('leads.creat', { status: 503 })],
  ['faults.add is not a function', (it) => it.faults.add('leads.list', { status: 503 })],
  ['Did you mean "conversations.sendMessage"?', (it) => it.faults.once('conversations.send', {})],
  ['Did you mean "conversations.sendMessage"?', (it) => it.requests.count({ operation: 'messages.create' })],
  ['leads.create, and leads.list after a 409.', (it) => it.faults.once('leads.ensure', { status: 503 })],
  ['`inbound.body` must be a', (it) => it.inbound({ phone: PHONE, body: 5 })],
  ['`event` must be a non-empty string', (it) => it.webhooks.emit('', {})],
  ["inbound() must be called with an object, such as { phone: '", (it) => it.inbound(PHONE, 'Hi')],
  ['requests.count() must be called with an object', (it) => it.requests.count('leads.create')],
  ['webhooks.add() must be called with an object, such as {', (it) => it.webhooks.add('http://r.test', 's')],
  ['got 3 as well. Call once() once for', (it) => it.faults.once('leads.list', { status: 503 }, 3)],
  ['data of paid cannot be written as JSON: got undefined', (it) => it.webhooks.emit('paid')],
  ['JSON: got a Promise: await it', (it) => it.webhooks.emit('paid', Promise.resolve({}))],
  [
    '`endpoint.retries.length` must be a whole number from 0 to 100, got 101',
    (it) => it.webhooks.add({ ...ENDPOINT, retries: Array(101).fill(0) }),
  ],
  ['The id of a lead must be a string, got 5', (it) => it.leads.get(5)],
])('invalid arguments throw before any row is created: %s', async (says, use) => {
  const mock = createMock();
  await expect((async () => use(mock))()).rejects.toThrow(says);
  expect([mock.leads.count(), mock.conversations.count()]).toEqual([0, 0]);
});
