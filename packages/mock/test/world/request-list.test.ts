import { expect, test } from 'vitest';
import type { RequestQuery } from '../../src/index.ts';
import { open } from '../support/hosts.ts';
import { start } from '../support/serving.ts';

/** A mock that was asked for agents, leads (refused, then a HEAD) and nothing that it knows. */
const asked = async () => {
  const { mock, send } = open();
  await send('agents.list');
  await send('leads.list', { key: null });
  await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, {
    method: 'HEAD',
    headers: { 'x-api-key': mock.apiKey },
  });
  await send('POST /api/v2/public/nothing', { body: {} });
  const look = (query: RequestQuery) => {
    const { data, meta } = mock.requests.list(query);
    return [data.map(({ operation }) => operation), meta.total];
  };
  return { mock, look };
};

test('requests.list() filters by operation, status and method, and returns how many match', async () => {
  const { mock, look } = await asked();
  expect(mock.requests.list()).toEqual({
    data: mock.requests.all,
    meta: { total: 4, limit: 1_000, offset: 0 },
  });
  expect(look({ operation: 'leads.list' })).toEqual([['leads.list', 'leads.list'], 2]);
  expect(look({ status: 401 })).toEqual([['leads.list'], 1]);
  expect(look({ method: 'post' })).toEqual([[undefined], 1]);
  expect(look({ operation: 'leads.list', method: 'HEAD', status: 200 })).toEqual([['leads.list'], 1]);
  expect(look({ status: 500 })).toEqual([[], 0]);
  // Pages are in the order of the requests.
  expect(look({ limit: 2 })).toEqual([['agents.list', 'leads.list'], 4]);
  expect(look({ limit: 2, offset: 2 })).toEqual([['leads.list', undefined], 4]);
});

test.each<[object, RegExp]>([
  [{ operations: 'leads.list' }, /Did you mean `operation`/],
  [{ operation: 'lead.list' }, /Did you mean "leads\.list"\?/],
  [{ status: 4.5 }, /`status` must be a whole number, .* got 4\.5/],
  [{ limit: 0 }, /`limit` must be a whole number from 1 to 10000, got 0/],
  [{ limit: 10_001 }, /got 10001/],
  [{ offset: -1 }, /`offset` must be a whole number \(0 or more\), got -1/],
])('requests.list(%j) is refused', async (query, message) => {
  const { mock } = await asked();
  expect(() => mock.requests.list(query as RequestQuery)).toThrow(message);
});

test('GET /__mock/deliveries is filtered and paged', async () => {
  const { mock, control } = await start();
  mock.webhooks.add({ url: 'https://receiver.test', secret: 'secret', fetch: () => new Response() });
  for (const event of ['a', 'b', 'b', 'b']) {
    mock.webhooks.emit(event, {});
  }
  await mock.webhooks.flush();
  expect(await control('GET', 'deliveries?event=b&state=delivered&limit=2&offset=2')).toMatchObject({
    data: [{ event: 'b' }],
    meta: { total: 3, limit: 2, offset: 2 },
  });
  expect(await control('GET', 'deliveries?state=pending')).toMatchObject({ data: [], meta: { total: 0 } });
  expect(await control('GET', 'deliveries?event=message.create')).toMatchObject({
    status: 200,
    data: [],
    meta: {
      total: 0,
      hint: 'No delivery has the event "message.create" yet. Did you mean "message.created"? Known: message.created, a, b.',
    },
  });
  for (const event of ['message.created', 'b']) {
    expect(await control('GET', `deliveries?event=${event}`)).not.toHaveProperty('meta.hint');
  }
});
