import type { MockOptions } from '@confab/mock';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SERVERS, urlOf } from '../src/servers.ts';

const SECRET = 'whsec_test';

describe.for(Object.entries(SERVERS))('%s:', ([, startServer]) => {
  /** Serves the application and a mock of the service. */
  const start = async (options: MockOptions = {}) => {
    const mock = createMock({ strict: true, ...options });
    const api = await serve(mock);
    onTestFinished(() => api.close());
    const env = { CONFAB_BASE_URL: api.url, CONFAB_API_KEY: mock.apiKey, WEBHOOK_SECRET: SECRET };
    // The routes of Next.js keep their client.
    vi.resetModules();
    for (const [name, value] of Object.entries(env)) {
      vi.stubEnv(name, value);
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startServer(env, 0);
    onTestFinished(() => void server.close());
    const url = urlOf(server);
    const submit = (form: object | string) =>
      fetch(`${url}/leads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof form === 'string' ? form : JSON.stringify(form),
      });
    return { mock, url, submit };
  };

  test('a form that is sent twice creates one lead', async () => {
    const { mock, submit } = await start();
    const form = { phone: '+44 20 7946 0958', displayName: 'Ada' };
    for (const response of [await submit(form), await submit(form)]) {
      expect(response.status).toBe(202);
      expect(await response.json()).toEqual({ received: true });
    }
    expect(mock.leads.find()).toMatchObject([
      { phone: '+442079460958', displayName: 'Ada', source: 'website', status: 'new' },
    ]);
  });

  test('a form without a phone number gets a 400 with the issue, and no request is sent', async () => {
    const { mock, submit } = await start();
    const response = await submit({ displayName: 'Ada' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ issues: [{ path: 'body.phone' }] });
    expect(mock.requests.length).toBe(0);
  });

  test('a form that is not JSON gets a 400, and so does a phone number that the service refuses', async () => {
    const { submit } = await start();
    expect((await submit('phone=1')).status).toBe(400);
    expect((await submit({ phone: 'call me' })).status).toBe(400);
  });

  test('a 429 with a long wait becomes a 503 at once, with that wait', async () => {
    const { mock, submit } = await start({ rateLimit: 1 });
    expect((await submit({ phone: '+442079460000' })).status).toBe(202);
    const { status, headers } = await submit({ phone: '+442079460001' });
    expect([status, Number(headers.get('retry-after'))]).toEqual([503, expect.closeTo(60, -1)]);
    expect(mock.requests.length).toBe(2);
  });

  test('a new lead who writes becomes active', async () => {
    const { mock, url } = await start();
    mock.webhooks.add({ url: `${url}/webhooks`, secret: SECRET });
    const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
    await mock.webhooks.flush();
    expect(mock.webhooks.deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
    expect(mock.leads.get(lead.id)?.status).toBe('active');
  });

  test('a delivery that is signed with a wrong secret changes nothing', async () => {
    const { mock, url } = await start();
    mock.webhooks.add({ url: `${url}/webhooks`, secret: 'forged', retries: [] });
    const { lead } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
    await mock.webhooks.flush();
    expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts: [{ status: 401 }] }]);
    expect(mock.leads.get(lead.id)?.status).toBe('new');
  });
});
