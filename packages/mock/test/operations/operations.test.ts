import type {
  Agent,
  AgentReply,
  Conversation,
  ConversationDetail,
  Funnel,
  Lead,
  Message,
} from '@confab/client/contract';
import { expect, test } from 'vitest';
import { open, twins } from '../support/hosts.ts';

const PHONE = '+5511987654321';

test.each(twins)(
  'GET /conversations lists a page with its meta, narrowed by status and pipeline ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    const other = await mock.pipelines.create({ name: 'Support' });
    const opened: Conversation[] = [];
    for (let at = 0; at < 3; at += 1) {
      opened.push(await mock.conversations.create({ status: 'open' }));
    }
    await mock.conversations.create({ status: 'resolved' });
    const elsewhere = await mock.conversations.create({ status: 'open', pipelineId: other.id });

    const page = await send<Conversation[]>('conversations.list', { query: 'limit=2&offset=1&status=open' });
    expect(page.status).toBe(200);
    expect(page.body.success).toBe(true);
    expect(page.body.meta).toEqual({ total: 4, limit: 2, offset: 1 });
    expect(page.body.data).toEqual([opened[2], opened[1]]);

    const narrowed = await send<Conversation[]>('conversations.list', {
      query: `status=open&pipelineId=${other.id.toUpperCase()}`,
    });
    expect(narrowed.body.data).toEqual([elsewhere]);
  },
);

test.each(twins)(
  'GET /conversations/{id} returns the conversation with its latest messages in reading order ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    const conversation = await mock.conversations.create({});
    const messages: Message[] = [];
    for (const content of ['one', 'two', 'three']) {
      messages.push(await mock.messages.create({ conversationId: conversation.id, content }));
    }
    const { status, body } = await send<ConversationDetail>('conversations.get', {
      id: conversation.id,
      query: 'messagesLimit=2',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...conversation, messages: messages.slice(1) });
  },
);

test.each(twins)(
  'POST /conversations/{id}/messages stores an outbound message and responds with 201 and the message ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    const conversation = await mock.conversations.create({});
    const { status, body } = await send<Message>('conversations.sendMessage', {
      id: conversation.id,
      body: { content: 'Hello' },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      conversationId: conversation.id,
      senderType: 'human',
      direction: 'outbound',
      content: 'Hello',
    });
    expect(await mock.messages.get(body.data.id)).toEqual(body.data);
    expect((await mock.conversations.get(conversation.id))?.lastMessageAt).toBe(body.data.createdAt);
  },
);

test.each(twins)(
  'GET /leads lists a page, narrowed by status, source, pipeline and search ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    const other = await mock.pipelines.create({});
    const ana = await mock.leads.create({
      displayName: 'Ana Silva',
      phone: PHONE,
      status: 'active',
      source: 'web',
    });
    const bob = await mock.leads.create({
      displayName: 'Bob',
      email: 'bob@silva.example',
      pipelineId: other.id,
    });
    await mock.leads.create({ displayName: 'Carl', source: 'web' });
    const ids = async (query: string) =>
      (await send<Lead[]>('leads.list', { query })).body.data.map(({ id }) => id);

    expect(await ids('search=sILVa')).toEqual([bob.id, ana.id]);
    expect(await ids('search=98765')).toEqual([ana.id]);
    expect(await ids('search=silva&limit=1&offset=1')).toEqual([ana.id]);
    expect(await ids('status=active')).toEqual([ana.id]);
    expect(await ids('status=active&source=web&search=ana')).toEqual([ana.id]);
    expect(await ids('status=nothing-known')).toEqual([]);
    expect(await ids(`pipelineId=${other.id}`)).toEqual([bob.id]);
    expect((await send('leads.list', { query: 'source=web&limit=1' })).body.meta).toEqual({
      total: 2,
      limit: 1,
      offset: 0,
    });
  },
);

test.each(twins)(
  'POST /leads creates a lead with normalized phone, defaults and no notes in the response, 201 ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    await mock.clock.advance(5_000);
    const { status, body } = await send<Lead>('leads.create', {
      body: { phone: '+55 (11) 98765-4321', displayName: 'Ana', email: null, notes: 'VIP' },
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      pipelineId: (await mock.pipelines.find())[0]?.id,
      phone: PHONE,
      displayName: 'Ana',
      email: null,
      source: 'api',
      status: 'new',
      createdAt: new Date(await mock.clock.now()).toISOString(),
    });
    expect((await mock.leads.get(body.data.id))?.notes).toBe('VIP');
  },
);

test.each(twins)(
  'GET /leads/{id} returns the lead, with its id in upper or lower case ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    const { notes: _, ...lead } = await mock.leads.create({ displayName: 'Ana' });
    const { status, body } = await send<Lead>('leads.get', { id: lead.id.toUpperCase() });
    expect(status).toBe(200);
    expect(body.data).toEqual(lead);
  },
);

test.each(twins)('PATCH /leads/{id} changes the fields given and no others ($name)', async (host) => {
  await using service = await host.open();
  const { mock, send } = service;
  const { notes: _, ...lead } = await mock.leads.create({ displayName: 'Ana', email: 'ana@example.com' });
  const { status, body } = await send<Lead>('leads.update', {
    id: lead.id,
    body: { email: null, notes: 'Called' },
  });
  expect(status).toBe(200);
  expect(body.data).toEqual({ ...lead, email: null });
  expect((await mock.leads.get(lead.id))?.notes).toBe('Called');
  await send('leads.update', { id: lead.id, body: { status: 'active' } });
  expect(await mock.leads.get(lead.id)).toEqual({
    ...lead,
    email: null,
    status: 'active',
    notes: 'Called',
  });
});

test.each(twins)('GET /agents lists every agent ($name)', async (host) => {
  await using service = await host.open();
  const { mock, send } = service;
  await mock.agents.create({ name: 'Second' });
  const { status, body } = await send<Agent[]>('agents.list');
  expect(status).toBe(200);
  expect(body.data).toEqual(await mock.agents.find());
  expect(body.data).toHaveLength(2);
});

test.each(twins)(
  'POST /agents/{id}/invoke responds with the text, token counts and latency of the agent ($name)',
  async (host) => {
    await using service = await host.open({
      agents: {
        respond: async (agent, userMessage) => ({
          text: `${agent.name}: ${userMessage}!`,
          tokensIn: 3,
          tokensOut: 5,
          latencyMs: 70,
        }),
      },
    });
    const { mock, send } = service;
    const agent = await mock.agents.create({ name: 'Echo' });
    const { status, body } = await send<AgentReply>('agents.invoke', {
      id: agent.id,
      body: { userMessage: 'Hi' },
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({ text: 'Echo: Hi!', tokensIn: 3, tokensOut: 5, latencyMs: 70 });
  },
);

test.each(twins)(
  'GET /analytics/funnel counts the leads created within the range, both ends included ($name)',
  async (host) => {
    await using service = await host.open();
    const { mock, send } = service;
    for (const [status, day] of [
      ['new', '01'],
      ['active', '02'],
      ['qualified', '03'],
      ['converted', '04'],
      ['converted', '09'],
    ] as const) {
      await mock.leads.create({ status, createdAt: `2025-03-${day}T00:00:00Z` });
    }
    const { status, body } = await send<Funnel>('analytics.funnel', {
      query: 'from=2025-03-01T00:00:00Z&to=2025-03-04T01:00:00%2B01:00',
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      newLeads: 4,
      activeLeads: 1,
      qualified: 1,
      converted: 1,
      conversionRate: 0.25,
      range: { from: '2025-03-01T00:00:00.000Z', to: '2025-03-04T00:00:00.000Z' },
    });
  },
);

const NOW = '2026-01-01T00:00:00.000Z';
const [FIRST, LAST] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];

test.each<[query: string, newLeads: number, from: string, to: string]>([
  ['', 1, '2025-12-02T00:00:00.000Z', NOW],
  ['to=2025-03-01T00:00:00Z', 1, '2025-01-30T00:00:00.000Z', '2025-03-01T00:00:00.000Z'],
  ['from=2025-01-30T00:00:00Z', 3, '2025-01-30T00:00:00.000Z', NOW],
  [`from=${FIRST}&to=${LAST}`, 6, FIRST, LAST],
  ['to=0000-01-02T00:00:00Z', 1, FIRST, '0000-01-02T00:00:00.000Z'],
])(
  'GET /analytics/funnel with the range "%s" covers 30 days, up to now, unless it says otherwise',
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
  ['from=2026-02-30T00:00:00Z', 'query.from must be a date and time whose day exists in its month'],
])('GET /analytics/funnel with the range "%s" gets 400', async (query, says) => {
  const { status, body } = await open().send('analytics.funnel', { query });
  expect([status, body.error]).toEqual([400, expect.stringContaining(says)]);
});

test('POST /leads puts a lead into the first pipeline or the one named, which must be of the account', async () => {
  const { mock, send } = open();
  const [first, second] = [mock.pipelines.find()[0]!, mock.pipelines.create({})];
  const create = (phone: string, pipelineId?: string) =>
    send<{ pipelineId: string }>('leads.create', { body: { phone, pipelineId } });
  expect((await create('+5511987654321')).body.data.pipelineId).toBe(first.id);
  expect((await create('+5511987654322', second.id)).body.data.pipelineId).toBe(second.id);
  expect((await create('+5511987654323', crypto.randomUUID())).status).toBe(400);
});

test('the default of agents.respond repeats the message, measured on the clock of the mock', async () => {
  const { mock, send } = open();
  const { id } = mock.agents.create({});
  const { body } = await send<AgentReply>('agents.invoke', { id, body: { userMessage: 'Good day' } });
  expect(body.data).toMatchObject({ text: expect.stringContaining('Good day'), latencyMs: 0 });
});
