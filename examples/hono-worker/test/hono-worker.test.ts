import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMock } from '@confab/mock';
import { serve as serveMock } from '@confab/mock/server';
import { serve } from '@hono/node-server';
import { expect, onTestFinished, test, vi } from 'vitest';

/** Serves a new isolate of the Worker and a mock of the service over HTTP. */
const start = async () => {
  const mock = createMock({ data: 'demo', strict: true });
  const api = await serveMock(mock);
  onTestFinished(() => api.close());
  const env = {
    CONFAB_BASE_URL: api.url,
    CONFAB_API_KEY: mock.apiKey,
    WEBHOOK_SECRET: 'whsec_test',
    TEAM_TOKEN: 'team',
  };
  vi.resetModules();
  const { default: worker } = await import('../src/worker.ts');
  const server = serve({ fetch: (request) => worker.fetch(request, env), port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${env.TEAM_TOKEN}` } });
  return { mock, url, get, secret: env.WEBHOOK_SECRET };
};

test('the list returns a page of leads with only their ids and names', async () => {
  const { mock, get } = await start();
  const response = await get('/leads?status=new&offset=2');
  expect(response.status).toBe(200);
  const { total, leads } = (await response.json()) as { total: number; leads: object[] };
  expect(total).toBe(mock.leads.count({ status: 'new' }));
  expect(leads).toHaveLength(10);
  expect(Object.keys(leads[0] ?? {})).toEqual(['id', 'displayName']);
  expect(mock.requests.of('leads.list')).toMatchObject([{ query: { status: 'new', offset: 2 } }]);
});

test('an invalid offset gets a 400 with the issue, and no request is sent', async () => {
  const { mock, get } = await start();
  for (const offset of ['-1', 'x']) {
    const response = await get(`/leads?offset=${offset}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path: 'query.offset' }] });
  }
  expect(mock.requests.length).toBe(0);
});

test('a caller without the token gets a 401, and no request is sent', async () => {
  const { mock, url } = await start();
  expect((await fetch(`${url}/leads`)).status).toBe(401);
  expect(mock.requests.length).toBe(0);
});

test('a 429 with a long wait becomes a 503 with that wait', async () => {
  const { mock, get } = await start();
  mock.faults.once('leads.list', { status: 429, headers: { 'retry-after': '30' } });
  const response = await get('/leads');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('30');
});

test('a lead who writes becomes active through the webhook', async () => {
  const { mock, url, secret } = await start();
  mock.webhooks.add({ url: `${url}/webhooks`, secret });
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  expect(mock.leads.get(lead.id)?.status).toBe('active');
});

test('a delivery signed with another secret gets a 401', async () => {
  const { mock, url } = await start();
  mock.webhooks.add({ url: `${url}/webhooks`, secret: 'forged', retries: [] });
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 401 }] }]);
});
