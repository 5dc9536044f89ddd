import type { OperationId } from '@confab/client/contract';
import { expect, test } from 'vitest';
import type { FaultMatch } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { hosts, open, PHONE } from '../support/hosts.ts';

const OTHER = '+5511987654322';

test.each(hosts)(
  'a fault with match applies only to the requests that match, through $name',
  async (host) => {
    const { mock, send } = await host.open();
    const [matched, other] = [mock.leads.create({}), mock.leads.create({})];
    const body = { status: 'active' };
    mock.faults.always('leads.update', { status: 500, match: { params: { id: matched.id } } });
    mock.faults.once('leads.list', {
      status: 502,
      match: { query: { limit: 5 }, headers: { 'X-Tenant': 'a' } },
    });
    mock.faults.once('*', { status: 503, match: { body: { phone: PHONE } } });
    const requests: [Parameters<typeof send>, status: number][] = [
      [['leads.update', { id: other.id, body }], 200],
      [['leads.update', { id: matched.id, body }], 500],
      [['leads.update', { id: matched.id, body }], 500],
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
  },
);

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
])(
  'the pattern %j matches the body %j: %j (in a fault and in requests.count())',
  async (body, sent, matches) => {
    const { mock, send } = open();
    mock.faults.once('*', { status: 418, match: { body } });
    const { status } = await send('POST /api/v2/public/elsewhere', { body: sent });
    expect([status, mock.faults.planned.length]).toEqual(matches ? [418, 0] : [404, 1]);
    expect(mock.requests.count({ body })).toBe(matches ? 1 : 0);
  },
);

test.each<[operation: OperationId, match: FaultMatch, says: string]>([
  ['leads.get', { params: { ID: 'x' } }, 'Unknown leads.get field `ID`. Did you mean `id`?'],
  ['leads.list', { query: { limit: '10' } }, '`query.limit` must be 10, got "10"'],
  ['leads.list', { query: { search: 5 } }, '`query.search` must be "5", got 5'],
  ['leads.create', { body: { phon: PHONE } }, 'Unknown leads.create field `phon`. Did you mean `phone`?'],
])('faults.once(%j) and requests.verify() refuse the impossible match %j', (operation, match, says) => {
  const { faults, requests } = createMock();
  expect(() => faults.once(operation, { status: 500, match })).toThrow(says);
  expect(() => requests.verify({ operation, ...match, times: 0 })).toThrow(says);
});

test.each<[operation: OperationId, match: FaultMatch, says: string]>([
  ['leads.get', { params: { id: 'not-a-uuid' } }, '`fault.match.params.id` must be a UUID, got "not-a-uuid"'],
  ['conversations.list', { query: { status: 'opn' } }, '`fault.match.query.status` must be one of "open", '],
  ['leads.list', { query: { limit: 'abc' } }, '`fault.match.query.limit` must be a number, got "abc"'],
  ['leads.update', { body: { status: 'nwe' } }, '`fault.match.body.status` must be one of "new", "active", '],
])(
  'faults.always(%j) refuses the match %j, because no valid request has that value',
  async (operation, match, says) => {
    const { faults, requests } = createMock();
    expect(() => faults.always(operation, { status: 500, match })).toThrow(says);
    // The log also has invalid requests, and an open enum may have any value.
    expect(requests.count({ operation, ...match })).toBe(0);
    faults.always('*', { status: 500, match });
    faults.always('leads.list', { status: 500, match: { query: { status: 'archived' } } });
  },
);

test('of several matching faults, the one planned first applies, and skip counts only matching requests', async () => {
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

test.each(hosts)(
  'match compares the joined values of a header that was sent twice, through $name',
  async (host) => {
    const { mock, clientOptions } = await host.open();
    const headers = new Headers({ 'x-api-key': mock.apiKey });
    headers.append('X-Tag', 'a');
    headers.append('x-tag', 'b');
    mock.faults.once('agents.list', { status: 418, match: { headers: { 'X-TAG': 'a, b' } } });
    const send = clientOptions.fetch ?? fetch;
    expect((await send(`${clientOptions.baseUrl}/api/v2/public/agents`, { headers })).status).toBe(418);
  },
);

test('faults.planned has the uses of each fault, and says whether it comes from data', async () => {
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
  const [{ id = '' } = {}] = mock.faults.planned;
  expect([mock.faults.remove(id), mock.faults.remove(id)]).toEqual([true, false]);
  expect(mock.faults.planned).toHaveLength(2);
});
