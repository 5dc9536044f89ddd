import { createClient, TimeoutError } from '@confab/client';
import { describe, expect, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { hosts, PHONE } from '../support/hosts.ts';

type Overrides = Omit<Parameters<typeof createClient>[0], 'baseUrl' | 'fetch'>;

describe.each(hosts)('through $name', ({ open }) => {
  /** A mock, and a client of it on its clock. */
  const pair = async (options?: MockOptions, overrides?: Overrides) => {
    const { mock, clientOptions } = await open(options);
    return { mock, confab: createClient({ ...clientOptions, ...overrides }) };
  };

  test('every method of the client returns the rows of the mock', async () => {
    const { mock, confab } = await pair({ data: 'demo' });
    const { lead, status } = await confab.leads.ensure({ phone: PHONE, displayName: 'Ana' });
    expect(status).toBe('created');
    for (const phone of ['+55 11 98765-4321', '+55 (0)11 98765.4321 ext. 4', '0055 11 98765 4321;']) {
      expect(await confab.leads.ensure({ phone })).toMatchObject({ status: 'existing', lead });
    }
    expect(await confab.leads.get(lead.id)).toEqual(lead);
    const updated = await confab.leads.update(lead.id, { status: 'qualified' });
    expect(updated).toEqual({ ...lead, status: 'qualified' });
    expect((await confab.leads.list({ search: 'ana', status: 'qualified' })).data).toContainEqual(updated);

    const { conversation } = await mock.inbound({ phone: PHONE, body: 'Hello' });
    const sent = await confab.conversations.sendMessage(conversation.id, { content: 'Welcome' });
    const { messages } = await confab.conversations.get(conversation.id, { messagesLimit: 1 });
    expect(messages).toEqual([sent]);
    expect((await confab.conversations.list({ status: 'open', limit: 1 })).data[0]?.id).toBe(conversation.id);

    const agents = await confab.agents.list();
    expect(agents).toEqual(mock.agents.find());
    expect((await confab.agents.invoke(agents[0]!.id, { userMessage: 'Hi' })).text).toContain('Hi');
    expect((await confab.analytics.funnel({ from: new Date(0) })).newLeads).toBe(61);
  });

  test('each response has the date of the mock’s clock, unless a fault sets a different one', async () => {
    const { mock, confab } = await pair();
    await mock.clock.set(Date.UTC(2031, 4, 6, 7, 8, 9, 999));
    const dateOf = async () => (await confab.agents.list().withResponse()).response.headers.date;
    expect(await dateOf()).toBe('Tue, 06 May 2031 07:08:09 GMT');
    mock.faults.once('agents.list', { headers: { Date: 'Tue, 06 May 2031 08:00:00 GMT' } });
    expect(await dateOf()).toBe('Tue, 06 May 2031 08:00:00 GMT');
    mock.faults.once('agents.list', { status: 403 });
    await expect(confab.agents.list()).rejects.toMatchObject({
      headers: { date: 'Tue, 06 May 2031 07:08:09 GMT' },
    });
  });

  test('the client names the missing scope of a 403', async () => {
    const keys = [{ key: 'narrow', scopes: ['read:leads'] }];
    const { confab } = await pair({ keys }, { apiKey: 'narrow', auth: 'bearer' });
    await expect(confab.agents.list()).rejects.toMatchObject({ missingScope: 'read:agents' });
  });

  test('the waits for a 429 and three failures after it pass on the mock’s clock, within milliseconds', async () => {
    const { mock, confab } = await pair({ rateLimit: 1 });
    const began = mock.clock.now();
    const really = performance.now();
    await confab.agents.list();
    for (const status of [503, 503, 503]) {
      mock.faults.once('agents.list', { status });
    }
    await confab.agents.list();
    expect(mock.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(performance.now() - really).toBeLessThan(2_000);
    expect(mock.requests.all.map(({ status }) => status)).toEqual([200, 503, 503, 503, 429, 200]);
  });

  test('the client learns a window shorter than a minute, although the mock’s clock stands still', async () => {
    const { mock, confab } = await pair({ rateLimit: { requests: 20, perMs: 1_000 } });
    const began = mock.clock.now();
    await Promise.all(Array.from({ length: 100 }, () => confab.agents.list()));
    expect(confab.rateLimit).toMatchObject({ limit: 20, windowMs: 1_000 });
    expect(mock.clock.now() - began).toBeLessThan(6_000);
  });

  test('a hang ends with the client’s timeout, on the mock’s clock', async () => {
    const { mock, confab } = await pair({}, { timeout: 30_000, retry: false });
    const began = mock.clock.now();
    mock.faults.once('leads.list', { network: 'hang' });
    await expect(confab.leads.list({})).rejects.toThrow(TimeoutError);
    expect(mock.clock.now() - began).toBe(30_000);
  });
});
