import { createClient } from '@confab/client';
import type { OperationId } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultMatch } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { hosts, open, PHONE } from '../support/hosts.ts';

const OTHER = '+5511987654322';

test.each(hosts)('a fault with `match` strikes only the requests that match ($name)', async (host) => {
  const { mock, send } = await host.open();
  const [struck, other] = [mock.leads.create({}), mock.leads.create({})];
  const body = { status: 'active' };
  mock.faults.always('leads.update', { status: 500, match: { params: { id: struck.id } } });
  mock.faults.once('leads.list', {
    status: 502,
    match: { query: { limit: 5 }, headers: { 'X-Tenant': 'a' } },
  });
  mock.faults.once('*', { status: 503, match: { body: { phone: PHONE } } });
  const requests: [Parameters<typeof send>, status: number][] = [
    [['leads.update', { id: other.id, body }], 200],
    [['leads.update', { id: struck.id, body }], 500],
    [['leads.update', { id: struck.id, body }], 500],
    [['leads.list', { query: 'limit=5' }], 200],
    [['leads.list', { query: 'limit=5', headers: { 'x-tenant': 'b' } }], 200],
    [['leads.list', { query: 'status=new&limit=5', headers: { 'x-tenant': 'a' } }], 502],
    [['leads.list', { query: 'limit=5', headers: { 'x-tenant': 'a' } }], 200],
    [['leads.create', { body: { phone: OTHER } }], 201],
    [['leads.create', { body: { displayName: 'Ana', phone: PHONE } }], 503],
    [['leads.create', { body: { phone: PHONE } }], 201],
  ];
  for (const [[target, request], status] of requests) {
    expect([target, request, (await send(target, request)).status]).toEqual([target, request, status]);
  }
});

test.each<[pattern: unknown, body: unknown, matches: boolean]>([
  [{ a: 1 }, { a: 1, b: 2 }, true],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
  [{ a: [1] }, { a: [1] }, true],
  [{ a: [1] }, { a: [1, 2] }, false],
  [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
  [{ a: null }, { a: null }, true],
  [{ a: null }, {}, false],
  [{ a: false }, {}, false],
  [{ a: 1 }, { a: '1' }, false],
  [{ a: {} }, { a: [] }, false],
  [{}, undefined, false],
  ['some text', 'some text', true],
])('the pattern %j and the body %j: %j, for faults as for requests.count()', async (body, sent, matches) => {
  const { mock, send } = open();
  mock.faults.once('*', { status: 418, match: { body } });
  const { status } = await send('POST /api/v2/public/elsewhere', { body: sent });
  expect([status, mock.faults.planned.length]).toEqual(matches ? [418, 0] : [404, 1]);
  expect(mock.requests.count({ body })).toBe(matches ? 1 : 0);
});

const json = fc.jsonValue({ maxDepth: 2 });
/** Some JSON, and a pattern that is often a part of it. */
const pairs = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), json)
  .chain((body) =>
    fc.tuple(fc.constant(body), fc.oneof(json, fc.subarray(Object.entries(body)).map(Object.fromEntries))),
  );

test('faults and requests.count() speak one language', async () => {
  const { mock, send } = open({ rateLimit: Number.POSITIVE_INFINITY });
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(pairs, async ([body, pattern]) => {
      mock.requests.clear();
      mock.faults.clear();
      mock.faults.once('*', { status: 418, match: { body: pattern } });
      const { status } = await send('POST /api/v2/public/elsewhere', { body });
      matched += Number(status === 418);
      expect(mock.requests.count({ body: pattern })).toBe(status === 418 ? 1 : 0);
      // A whole value always matches itself.
      expect(mock.requests.count({ body })).toBe(1);
    }),
    { numRuns: 300 },
  );
  expect(matched).toBeGreaterThan(50);
});

test.each<[operation: OperationId, match: FaultMatch, says: string]>([
  ['leads.get', { params: { ID: 'x' } }, 'Unknown field of leads.get `ID`. Did you mean `id`?'],
  ['leads.list', { query: { stats: 'new' } }, 'Unknown field of leads.list `stats`. Did you mean `status`?'],
  ['leads.list', { query: { limit: '10' } }, '`query.limit` must be 10, got "10"'],
  ['leads.list', { query: { search: 5 } }, '`query.search` must be "5", got 5'],
  ['leads.create', { body: { phon: PHONE } }, 'Unknown field of leads.create `phon`. Did you mean `phone`?'],
  ['agents.list', { params: { id: 'x' } }, 'Unknown field of agents.list `id`. Known: none'],
])('a fault of %s that no request could match is refused: %j', (operation, match, says) => {
  const { faults, requests } = createMock();
  expect(() => faults.once(operation, { status: 500, match })).toThrow(says);
  expect(() => requests.verify({ operation, ...match, times: 0 })).toThrow(says);
});

test('of the matching faults, the one planned first strikes, and skip counts matching requests', async () => {
  const { mock, send } = open();
  const match = { query: { status: 'new' } };
  mock.faults.always('leads.list', { status: 500, match });
  mock.faults.always('leads.list', { status: 501 });
  mock.faults.once('leads.list', { status: 502, match, skip: 1 });
  mock.faults.once('leads.list', { status: 503, match });
  const statuses: number[] = [];
  for (const query of ['', 'status=new', 'status=new', 'status=new']) {
    statuses.push((await send('leads.list', { query })).status);
  }
  expect(statuses).toEqual([501, 503, 502, 500]);
});

test('a client that repeats a request uses up a fault that was planned once', async () => {
  const { mock, clientOptions } = open();
  const [failing, other] = [mock.leads.create({}), mock.leads.create({})];
  const confab = createClient(clientOptions);
  const attemptsOf = async (id: string) =>
    (await confab.leads.update(id, { status: 'active' }).withResponse()).response.attempts;
  mock.faults.once('leads.update', { status: 503, match: { params: { id: failing.id } } });
  expect([await attemptsOf(other.id), await attemptsOf(failing.id), await attemptsOf(failing.id)]).toEqual([
    1, 2, 1,
  ]);
});

test.each(hosts)('a header that was sent twice is matched by its joined values ($name)', async (host) => {
  const { mock, clientOptions } = await host.open();
  const headers = new Headers({ 'x-api-key': mock.apiKey });
  headers.append('X-Tag', 'a');
  headers.append('x-tag', 'b');
  mock.faults.once('agents.list', { status: 418, match: { headers: { 'X-TAG': 'a, b' } } });
  const send = clientOptions.fetch ?? fetch;
  expect((await send(`${clientOptions.baseUrl}/api/v2/public/agents`, { headers })).status).toBe(418);
});

test('later changes to the pattern have no effect', async () => {
  const { mock, send } = open();
  const { id } = mock.leads.create({});
  const params = { id };
  mock.faults.once('leads.get', { status: 500, match: { params } });
  params.id = 'another';
  expect((await send('leads.get', { id })).status).toBe(500);
});

test('faults.planned counts the uses of each fault, and says which ones the data planned', async () => {
  const plan = { operation: 'agents.list', fault: { status: 503 } } as const;
  const { mock, send } = open({ data: { faults: [plan, { ...plan, once: false }] } });
  mock.faults.once('leads.list', () => undefined);
  const before = mock.snapshot();
  await send('agents.list');
  await send('agents.list');
  await send('leads.list');
  expect(mock.faults.planned).toMatchObject([
    { operation: 'agents.list', once: false, used: 1, fromData: true },
    { operation: 'leads.list', once: true, used: 1, fromData: false },
  ]);
  mock.restore(before);
  expect(mock.faults.planned.map(({ used }) => used)).toEqual([0, 0, 0]);
});
