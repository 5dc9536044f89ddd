import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveRoutes } from './support/serve-routes.ts';

const SECRET = 'whsec_test';

/** Loads the routes as a fresh server does, with a mock of the service over HTTP. */
const start = async () => {
  const mock = createMock({ strict: true });
  const api = await serve(mock);
  onTestFinished(() => api.close());
  vi.resetModules();
  // As in `next build`, the routes are loaded before any variable is set.
  const routes = {
    '/api/leads': await import('../app/api/leads/route.ts'),
    '/api/webhooks': await import('../app/api/webhooks/route.ts'),
  };
  vi.stubEnv('CONFAB_BASE_URL', api.url);
  vi.stubEnv('CONFAB_API_KEY', mock.apiKey);
  vi.stubEnv('WEBHOOK_SECRET', SECRET);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url, close } = await serveRoutes(routes);
  onTestFinished(close);
  const contact = (body: string) => fetch(`${url}/api/leads`, { method: 'POST', body });
  return { mock, url, contact };
};

test('the contact form creates a lead, and no second one when it is sent again', async () => {
  const { mock, contact } = await start();
  const form = JSON.stringify({ phone: '+44 20 7946 0958', displayName: 'Ada' });
  for (const response of [await contact(form), await contact(form)]) {
    expect(response.status).toBe(202);
  }
  expect(mock.leads.find()).toMatchObject([{ phone: '+442079460958', source: 'website', status: 'new' }]);
});

test('a form without a phone and a form that is not JSON get a 400 with the issue', async () => {
  const { mock, contact } = await start();
  for (const form of ['{"displayName":"Ada"}', 'phone=1', 'null']) {
    const response = await contact(form);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path: 'body.phone' }] });
  }
  expect(mock.requests.length).toBe(0);
});

test('a 429 with a long wait becomes a 503 with that wait', async () => {
  const { mock, contact } = await start();
  mock.faults.once('leads.create', { status: 429, headers: { 'retry-after': '30' } });
  const response = await contact('{"phone":"+442079460958"}');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('30');
});

test('a lead who writes becomes active through the webhook', async () => {
  const { mock, url } = await start();
  mock.webhooks.add({ url: `${url}/api/webhooks`, secret: SECRET });
  const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  expect(mock.leads.get(lead.id)?.status).toBe('active');
});

test('a delivery signed with another secret gets a 401', async () => {
  const { mock, url } = await start();
  mock.webhooks.add({ url: `${url}/api/webhooks`, secret: 'forged', retries: [] });
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 401 }] }]);
});
