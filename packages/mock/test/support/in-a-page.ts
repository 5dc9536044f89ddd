import { RateLimitError } from '@confab/client';
import { setupServer } from 'msw/node';
import { expect, onTestFinished } from 'vitest';
import { test } from '../../src/vitest/index.ts';
import { PHONE } from './hosts.ts';
import { receiver } from './receiver.ts';

/** Defines the tests for environments with a `window` and a `document`. */
export const testsInAPage = (): void => {
  test('the fixture provides a mock and a client where there is a window and a document', async ({
    mock,
    confab,
  }) => {
    expect(['window' in globalThis, 'document' in globalThis]).toEqual([true, true]);
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
    const { events, endpoint } = receiver();
    mock.webhooks.add(endpoint);
    await mock.inbound({ phone: PHONE, body: 'Olá' });
    await mock.webhooks.flush();
    expect(events).toMatchObject([{ data: { body: 'Olá' } }]);
    expect(mock).toHaveDelivered('message.created', { body: 'Olá' });
  });

  test('msw intercepts the requests of the page, and responds to its preflights', async ({ mock }) => {
    const server = setupServer(...mock.handlers);
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    const headers = { 'x-api-key': mock.apiKey };
    const answer = await fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers });
    expect(await answer.json()).toMatchObject({ success: true });
    mock.faults.once('agents.list', { status: 429, headers: { 'retry-after': '30' } });
    for (const [status, retryAfter] of [
      [429, '30'],
      [200, null],
    ] as const) {
      const request = new XMLHttpRequest();
      request.open('GET', `${mock.baseUrl}/api/v2/public/agents`);
      request.setRequestHeader('x-api-key', mock.apiKey);
      request.withCredentials = status === 200;
      const ended = new Promise((resolve) => request.addEventListener('loadend', resolve));
      request.send();
      await ended;
      expect([request.status, request.getResponseHeader('retry-after')]).toEqual([status, retryAfter]);
    }
    expect(mock.requests.all.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
  });
};
