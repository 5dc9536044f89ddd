import { createClient } from '@confab/client';
import type { MockOptions } from '@confab/mock';
import { createMock } from '@confab/mock';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { createReceiver } from '../src/receiver.ts';
import { visitorOptions } from '../src/visitor-options.ts';

const SECRET = 'whsec_test';

/** Serves the application over HTTP, with a mock of the service. */
const start = async (options: MockOptions = {}) => {
  const mock = createMock({ strict: true, ...options });
  const confab = createClient({ ...mock.clientOptions, ...visitorOptions });
  const app = createApp({ confab, webhooks: createReceiver(confab, SECRET) });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const contact = (body: string) =>
    fetch(`${url}/contact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { mock, url, contact };
};

test('the contact form creates a lead, and no second one when it is sent again', async () => {
  const { mock, contact } = await start();
  const form = JSON.stringify({ phone: '+44 20 7946 0958', displayName: 'Ada' });
  for (const response of [await contact(form), await contact(form)]) {
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ received: true });
  }
  expect(mock.leads.find()).toMatchObject([
    { phone: '+442079460958', displayName: 'Ada', source: 'website', status: 'new' },
  ]);
});

test('a form without a phone gets a 400 with the issue, and no request is sent', async () => {
  const { mock, contact } = await start();
  const response = await contact(JSON.stringify({ displayName: 'Ada' }));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ issues: [{ path: 'body.phone' }] });
  expect(mock.requests.length).toBe(0);
});

test('a phone that the service refuses gets a 400', async () => {
  const { contact } = await start();
  expect((await contact(JSON.stringify({ phone: 'call me' }))).status).toBe(400);
});

test('a 429 with a long wait becomes a 503 with that wait', async () => {
  const { mock, contact } = await start();
  mock.faults.once('leads.create', { status: 429, headers: { 'retry-after': '30' } });
  const response = await contact(JSON.stringify({ phone: '+442079460958' }));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('30');
  expect(mock.leads.count()).toBe(0);
});

test('visitors beyond the rate limit get a 503 at once', async () => {
  const { mock, contact } = await start({ rateLimit: 1 });
  const statuses: number[] = [];
  for (let visitor = 0; visitor < 5; visitor += 1) {
    if (visitor === 3) {
      await mock.clock.advance(60_000);
    }
    statuses.push((await contact(JSON.stringify({ phone: `+44207946000${visitor}` }))).status);
  }
  expect(statuses).toEqual([202, 503, 503, 202, 503]);
});

test('a lead who writes becomes active through the webhook', async () => {
  const { mock, url } = await start();
  mock.webhooks.add({ url: `${url}/webhooks`, secret: SECRET });
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  expect(mock.leads.get(lead.id)?.status).toBe('active');
});

test('a delivery signed with another secret changes nothing', async () => {
  const { mock, url } = await start();
  mock.webhooks.add({ url: `${url}/webhooks`, secret: 'forged', retries: [] });
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 401 }] }]);
  expect(mock.leads.get(lead.id)?.status).toBe('new');
});

test('a POST without a body gets a 400', async () => {
  const { url } = await start();
  expect((await fetch(`${url}/contact`, { method: 'POST' })).status).toBe(400);
});
