import type { Agent, AgentReply, Funnel, Lead, Message } from '@confab/client/contract';
import { describe, expect, test } from 'vitest';
import type { Respond } from '../../src/index.ts';
import { open, PHONE, twins } from '../support/hosts.ts';

describe.each(twins)('through $name', ({ open }) => {
  test('GET /conversations returns a page with its meta, filtered by status and pipeline', async () => {
    const { mock, send } = await open();
    const pipelineId = (await mock.pipelines.create({ name: 'Support' })).id;
    await mock.conversations.create({ status: 'open' });
    const second = await mock.conversations.create({ status: 'open' });
    await mock.conversations.create({ status: 'resolved' });
    const last = await mock.conversations.create({ status: 'open', pipelineId });

    const { body } = await send('conversations.list', { query: 'limit=1&offset=1&status=open' });
    expect(body).toEqual({ success: true, data: [second], meta: { total: 3, limit: 1, offset: 1 } });
    const query = `status=open&pipelineId=${pipelineId.toUpperCase()}`;
    expect((await send('conversations.list', { query })).body.data).toEqual([last]);
  });

  test('GET /conversations/{id} returns the conversation with its latest messages in reading order', async () => {
    const { mock, send } = await open();
    const conversation = await mock.conversations.create({});
    const messages: Message[] = [];
    for (const content of ['one', 'two', 'three']) {
      messages.push(await mock.messages.create({ conversationId: conversation.id, content }));
    }
    const { body } = await send('conversations.get', { id: conversation.id, query: 'messagesLimit=2' });
    const lastMessageAt = messages.at(-1)?.createdAt;
    expect(body.data).toEqual({ ...conversation, lastMessageAt, messages: messages.slice(1) });
  });

  test('POST /conversations/{id}/messages stores an outbound message, and returns it', async () => {
    const { mock, send } = await open();
    const { id } = await mock.conversations.create({});
    const { body } = await send<Message>('conversations.sendMessage', { id, body: { content: 'Hello' } });
    expect(body.data).toMatchObject({
      ...{ conversationId: id, senderType: 'human', direction: 'outbound', content: 'Hello' },
    });
    expect(await mock.messages.get(body.data.id)).toEqual(body.data);
    expect((await mock.conversations.get(id))?.lastMessageAt).toBe(body.data.createdAt);
  });

  test('POST /leads creates a lead with defaults and a normalized phone number, and returns no notes', async () => {
    const { mock, send } = await open();
    await mock.clock.advance(5_000);
    const sent = { phone: '+55 (11) 98765-4321', displayName: 'Ana', email: null, notes: 'VIP' };
    const { body } = await send<Lead>('leads.create', { body: sent });
    expect(body.data).toEqual({
      ...{ id: expect.any(String), phone: PHONE, displayName: 'Ana', email: null, source: 'api' },
      ...{ status: 'new', pipelineId: (await mock.pipelines.find())[0]?.id },
      createdAt: new Date(await mock.clock.now()).toISOString(),
    });
    expect((await mock.leads.get(body.data.id))?.notes).toBe('VIP');
  });

  test('PATCH /leads/{id} changes only the fields in its body, and GET accepts an id in upper case', async () => {
    const { mock, send } = await open();
    const { notes: _, ...lead } = await mock.leads.create({ displayName: 'Ana', email: 'ana@example.com' });
    const { id } = lead;
    expect((await send('leads.get', { id: id.toUpperCase() })).body.data).toEqual(lead);
    const { body } = await send('leads.update', { id, body: { email: null, notes: 'Called' } });
    expect(body.data).toEqual({ ...lead, email: null });
    await send('leads.update', { id, body: { status: 'active' } });
    const changed = { ...lead, email: null, status: 'active', notes: 'Called' };
    expect(await mock.leads.get(id)).toEqual(changed);
  });

  test('GET /agents lists every agent', async () => {
    const { mock, send } = await open();
    await mock.agents.create({ name: 'Second' });
    const { data } = (await send<Agent[]>('agents.list')).body;
    expect([data, data.length]).toEqual([await mock.agents.find(), 2]);
  });

  test('POST /agents/{id}/invoke responds with the text, token counts and latency of the agent', async () => {
    const counts = { tokensIn: 3, tokensOut: 5, latencyMs: 70 };
    const respond: Respond = async ({ name }, message) => ({ text: `${name}: ${message}!`, ...counts });
    const { mock, send } = await open({ agents: { respond } });
    const { id } = await mock.agents.create({ name: 'Echo' });
    const { body } = await send('agents.invoke', { id, body: { userMessage: 'Hi' } });
    expect(body.data).toEqual({ text: 'Echo: Hi!', ...counts });
  });

  test('GET /analytics/funnel counts the leads created within the range, including both ends', async () => {
    const { mock, send } = await open();
    for (const [status, day] of [
      ['new', '01'],
      ['active', '02'],
      ['qualified', '03'],
      ['converted', '04'],
      ['converted', '09'],
    ] as const) {
      await mock.leads.create({ status, createdAt: `2025-03-${day}T00:00:00Z` });
    }
    const query = 'from=2025-03-01T00:00:00Z&to=2025-03-04T01:00:00%2B01:00';
    expect((await send('analytics.funnel', { query })).body.data).toEqual({
      ...{ newLeads: 4, activeLeads: 1, qualified: 1, converted: 1, conversionRate: 0.25 },
      range: { from: '2025-03-01T00:00:00.000Z', to: '2025-03-04T00:00:00.000Z' },
    });
  });
});

const NOW = '2026-01-01T00:00:00.000Z';
const [FIRST, LAST] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];

test.each<[query: string, newLeads: number, from: string, to: string]>([
  ['', 1, '2025-12-02T00:00:00.000Z', NOW],
  ['to=2025-03-01T00:00:00Z', 1, '2025-01-30T00:00:00.000Z', '2025-03-01T00:00:00.000Z'],
  ['from=2025-01-30T00:00:00Z', 3, '2025-01-30T00:00:00.000Z', NOW],
  [`from=${FIRST}&to=${LAST}`, 6, FIRST, LAST],
])(
  'GET /analytics/funnel?%s covers the 30 days before to, or before now',
  async (query, newLeads, from, to) => {
    const { mock, send } = open();
    for (const createdAt of [
      ...[FIRST, '2025-01-29T23:59:59Z', '2025-01-30T00:00:00Z', '2025-03-01T00:00:01Z', NOW, LAST],
    ]) {
      mock.leads.create({ createdAt });
    }
    const { body } = await send<Funnel>('analytics.funnel', { query });
    expect(body.data).toMatchObject({ newLeads, conversionRate: 0, range: { from, to } });
  },
);

test.each([
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.from must not be after query.to'],
  ['from=2099-01-01T00:00:00Z', 'query.from must not be after query.to'],
  ['to=9999-12-31T23:59:59-01:00', 'query.to must be within the years 0000 to 9999 in UTC'],
  ['from=2026-02-30T00:00:00Z', 'query.from must be an existing date and time with an offset, such as 2026-'],
])('GET /analytics/funnel?%s returns 400', async (query, says) => {
  const { status, body } = await open().send('analytics.funnel', { query });
  expect([status, body.error]).toEqual([400, expect.stringContaining(says)]);
});

test('POST /leads puts a lead into the pipeline of the body, which must exist, or into the first one', async () => {
  const { mock, send } = open();
  const [first, second] = [mock.pipelines.find()[0]!, mock.pipelines.create({})];
  const create = (phone: string, pipelineId?: string) =>
    send<{ pipelineId: string }>('leads.create', { body: { phone, pipelineId } });
  expect((await create('+5511987654321')).body.data.pipelineId).toBe(first.id);
  expect((await create('+5511987654322', second.id)).body.data.pipelineId).toBe(second.id);
  expect((await create('+5511987654323', crypto.randomUUID())).status).toBe(400);
});

test('an agent repeats the message by default, and its latency is measured on the mock’s clock', async () => {
  const { mock, send } = open();
  const { id } = mock.agents.create({});
  const { body } = await send<AgentReply>('agents.invoke', { id, body: { userMessage: 'Good day' } });
  expect(body.data).toMatchObject({ text: expect.stringContaining('Good day'), latencyMs: 0 });
});
