import type { Confab } from '@confab/client';
import {
  AuthenticationError,
  BadRequestError,
  ConfabError,
  ConflictError,
  ConnectionError,
  createClient,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  ServerError,
  TimeoutError,
} from '@confab/client';
import { describe, expect, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { hosts } from '../support/hosts.ts';

const PHONE = '+5511987654321';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

type Overrides = Omit<Parameters<typeof createClient>[0], 'baseUrl' | 'fetch'>;

describe.each(hosts)('through $name', ({ open }) => {
  /** A mock, a client of it on its clock, and a way to more clients. */
  const pair = async (options?: MockOptions, overrides?: Overrides) => {
    const service = await open(options);
    const another = (more: Overrides): Confab => createClient({ ...service.clientOptions, ...more });
    return { mock: service.mock, confab: another({ ...overrides }), another };
  };

  test('every method of the client returns what the service has', async () => {
    const { mock, confab } = await pair({ data: 'demo' });
    const { lead, status } = await confab.leads.ensure({ phone: PHONE, displayName: 'Ana' });
    expect(status).toBe('created');
    for (const phone of ['+55 11 98765-4321', '+55 (11) 98765.4321']) {
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

  test('a list that shrinks while it is read is read to its end, each lead once', async () => {
    const { mock, confab } = await pair({ data: 'demo' });
    const fresh = mock.leads.find({ status: 'new' }).map(({ id }) => id);
    const seen: string[] = [];
    for await (const { id } of confab.leads.list({ status: 'new', limit: 5 })) {
      seen.push(id);
      await confab.leads.update(id, { status: 'active' });
    }
    expect(seen.sort()).toEqual(fresh.sort());
    expect(mock.leads.count({ status: 'new' })).toBe(0);
  });

  test('each refusal is an error of its class', async () => {
    const agents = { respond: () => Promise.reject(new Error('out')) };
    const keys = [{ key: 'narrow', scopes: ['read:leads'] }];
    const { mock, confab, another } = await pair({ agents, keys }, { retry: false });
    await confab.leads.create({ phone: PHONE });
    await expect(confab.leads.create({ phone: PHONE })).rejects.toThrow(ConflictError);
    await expect(confab.leads.create({ phone: 'none' })).rejects.toThrow(BadRequestError);
    await expect(confab.leads.get(UNKNOWN)).rejects.toThrow(NotFoundError);
    await expect(confab.leads.get('seven')).rejects.toThrow(InvalidRequestError);
    const { id } = mock.agents.find()[0]!;
    await expect(confab.agents.invoke(id, { userMessage: 'Hi' })).rejects.toThrow(ServerError);
    await expect(another({ apiKey: 'wrong' }).agents.list()).rejects.toThrow(AuthenticationError);
    await expect(another({ apiKey: 'narrow', auth: 'bearer' }).agents.list()).rejects.toMatchObject({
      ...{ constructor: PermissionError, missingScope: 'read:agents' },
    });
    mock.faults.once('agents.list', { body: '<html>', headers: { 'content-type': 'text/html' } });
    await expect(confab.agents.list()).rejects.toThrow(InvalidResponseError);
  });

  test('a 429 and three failures after it are waited for on the clock of the mock, within milliseconds', async () => {
    const { mock, confab } = await pair({ rateLimit: 1 });
    const began = mock.clock.now();
    const really = performance.now();
    await confab.agents.list();
    for (let at = 0; at < 3; at += 1) {
      mock.faults.once('agents.list', { status: 503 });
    }
    await confab.agents.list();
    expect(mock.clock.now() - began).toBeGreaterThanOrEqual(60_000);
    expect(performance.now() - really).toBeLessThan(2_000);
    expect(mock.requests.all.map(({ status }) => status)).toEqual([200, 503, 503, 503, 429, 200]);
  });

  test('a hang ends in the client’s timeout, on the clock of the mock', async () => {
    const { mock, confab } = await pair({}, { timeout: 30_000, retry: false });
    const began = mock.clock.now();
    mock.faults.once('leads.list', { network: 'hang' });
    await expect(confab.leads.list({})).rejects.toThrow(TimeoutError);
    expect(mock.clock.now() - began).toBe(30_000);
  });

  test('a broken connection is retried for a read, never for a write', async () => {
    const { mock, confab } = await pair();
    for (const network of ['error', 'truncate'] as const) {
      mock.faults.once('agents.list', { network });
    }
    expect(await confab.agents.list()).toHaveLength(1);
    mock.faults.once('leads.create', { network: 'error' });
    await expect(confab.leads.create({ phone: PHONE })).rejects.toThrow(ConnectionError);
    mock.faults.once('leads.create', { network: 'truncate' });
    await expect(confab.leads.create({ phone: PHONE })).rejects.toThrow(ConfabError);
    // The truncated answer was to a write that took place.
    expect([mock.requests.of('leads.create').length, mock.leads.count()]).toEqual([2, 1]);
  });
});
