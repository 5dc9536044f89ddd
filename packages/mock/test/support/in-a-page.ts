import { RateLimitError } from '@confab/client';
import { createWebhooks } from '@confab/webhooks';
import { setupServer } from 'msw/node';
import { expect, onTestFinished } from 'vitest';
import { test } from '../../src/vitest/index.ts';

const PHONE = '+5511987654321';
const secret = 'whsec_0123456789';

/** What holds under every environment that has a `window` and a `document`. */
export const testsInAPage = (): void => {
  test('the client recognizes the environment as a page', () => {
    expect(['window' in globalThis, 'document' in globalThis]).toEqual([true, true]);
  });

  test('the fixture provides a mock and a client', async ({ mock, confab }) => {
    await confab.leads.create({ phone: PHONE });
    const { data } = await confab.leads.list({ status: 'new' });
    expect(data).toHaveLength(1);
    expect(mock).toHaveReceived('leads.create', { phone: PHONE });
  });

  test('faults, waits, aborts and truncated responses work as in Node', async ({ mock, confab }) => {
    mock.faults.once('agents.list', { status: 429, headers: { 'retry-after': '30' } });
    const began = mock.clock.now();
    await confab.agents.list();
    expect(mock.clock.now()).toBe(began + 30_000);

    mock.faults.once('agents.list', { network: 'hang' });
    const controller = new AbortController();
    const call = confab.agents.list({ signal: controller.signal });
    controller.abort(new Error('The page was left'));
    await expect(call).rejects.toThrow('The page was left');

    mock.faults.once('agents.list', { status: 429, headers: { 'retry-after': '3600' } });
    await expect(confab.agents.list()).rejects.toBeInstanceOf(RateLimitError);

    mock.faults.once('agents.list', { network: 'truncate' });
    const headers = { 'x-api-key': mock.apiKey };
    const cut = await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers });
    await expect(cut.text()).rejects.toThrow();
  });

  test('events are delivered and verified', async ({ mock }) => {
    const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
    const bodies: string[] = [];
    webhooks.on('message.created', ({ data }) => {
      bodies.push(data.body);
    });
    mock.webhooks.add({ url: 'https://receiver.test/', secret, fetch: webhooks.fetch });
    await mock.inbound({ phone: PHONE, body: 'Olá' });
    await mock.webhooks.flush();
    expect(bodies).toEqual(['Olá']);
    expect(mock).toHaveDelivered('message.created', { body: 'Olá' });
  });

  test('msw intercepts the requests of the page', async ({ mock }) => {
    const server = setupServer(...mock.handlers);
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    const headers = { 'x-api-key': mock.apiKey };
    const answer = await fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers });
    expect(await answer.json()).toMatchObject({ success: true });
  });
};
