import { expect, test } from 'vitest';
import type { RequestExpectation, RequestPattern } from '../../src/index.ts';
import { open, PHONE } from '../support/hosts.ts';

/** A mock that received three requests: two creations, one of which was refused, and a list. */
const received = async () => {
  const { mock, send } = open();
  await send('leads.create', { body: { phone: PHONE, displayName: 'Ana', notes: 'VIP' } });
  await send('leads.create', { body: { phone: PHONE, tags: ['a', { b: 1, c: 2 }] } });
  await send('leads.list', { query: 'status=new&limit=5' });
  return mock;
};

test.each<[RequestPattern, number]>([
  [{}, 3],
  [{ operation: 'leads.create', status: 201 }, 1],
  [{ method: 'post' }, 2],
  [{ path: '/api/v2/public/leads', method: 'GET' }, 1],
  [{ query: { status: 'new' } }, 1],
  [{ query: { limit: '5' } }, 0],
  [{ body: { phone: PHONE, displayName: 'Ana' } }, 1],
  [{ keyId: 'nobody' }, 0],
  [{ operation: undefined, status: undefined }, 3],
])('requests.count(%j) returns %d', async (pattern, count) => {
  const mock = await received();
  expect(mock.requests.count(pattern)).toBe(count);
});

test.each<[RequestExpectation, number]>([
  [{ operation: 'leads.create' }, 2],
  [{ operation: 'leads.create', times: 2 }, 2],
  [{ operation: 'leads.create', atLeast: 1, atMost: 2 }, 2],
  [{ operation: 'leads.create', times: { min: 2, max: 2 } }, 2],
  [{ operation: 'agents.list', times: { max: 1 } }, 0],
  [{ operation: 'agents.list', atMost: 1 }, 0],
])('requests.verify(%j) returns the number of matches', async (expectation, count) => {
  const { requests } = await received();
  expect(requests.verify(expectation)).toBe(count);
});

test.each<[RequestExpectation, string]>([
  [{ operation: 'agents.list' }, 'but 0 matched. The mock received 3 requests, but no agents.list.'],
  [{ method: 'post', times: 1 }, 'Expected exactly 1 request matching {"method":"post"}, but 2 matched.'],
  [{ atLeast: 4 }, 'Expected at least 4 requests matching {}, but 3 matched. The latest request was GET '],
  [{ atMost: 2 }, 'Expected at most 2 requests matching {}, but 3 matched.'],
  [{ method: 'PUT', atLeast: 1, atMost: 2 }, 'Expected 1 to 2 requests matching {"method":"PUT"}, but 0'],
  [
    { operation: 'leads.create', body: { phone: '+1' } },
    `The latest leads.create was POST /api/v2/public/leads with {"query":{},"body":{"phone":"${PHONE}","tags":["a",{"b":1,"c":2}]},"status":400}.`,
  ],
])('requests.verify(%j) throws and says what the mock received instead', async (expectation, message) => {
  const { requests } = await received();
  const failure = { code: 'VERIFICATION_FAILED', message: expect.stringContaining(message) };
  expect(() => requests.verify(expectation)).toThrow(expect.objectContaining(failure));
});

test('requests.verify() says that the mock received no requests', () => {
  expect(() => open().mock.requests.verify({})).toThrow('The mock received no requests.');
});

test.each<[object, string]>([
  [{ operaton: 'leads.create' }, 'Unknown requests.verify() field `operaton`. Did you mean `operation`?'],
  [{ time: 1 }, 'Did you mean `times`?'],
  [{ times: -1 }, '`times` must be a whole number of at least 0, got -1.'],
  [{ times: { least: 1 } }, 'Unknown times field `least`.'],
  [{ times: 1, atMost: 2 }, '`times` and a range'],
  [{ times: { min: 3, max: 1 } }, 'was called with at least 3 and at most 1 requests'],
  [{ method: 'psot', times: 0 }, '`method` must be one of "GET", "HEAD", "POST", '],
  [{ body: { phone: /55/ }, times: 0 }, '`body` must be a value that JSON can express'],
  [{ status: 'ok' }, '`status` must be a whole number, such as 429, got "ok"'],
])('requests.verify(%j) throws INVALID_ARGUMENT: %s', (expectation, message) => {
  const { requests } = open().mock;
  const refusal = { code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) };
  expect(() => requests.verify(expectation)).toThrow(expect.objectContaining(refusal));
});
