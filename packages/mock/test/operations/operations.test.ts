import type {
  Agent,
  AgentReply,
  Conversation,
  ConversationDetail,
  Funnel,
  Lead,
  Message,
} from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { expect, test } from 'vitest';
import { hosts, open, twins } from '../support/hosts.ts';

const PHONE = '+5511987654321';

for (const host of twins) {
  test(`GET /conversations lists a page with its meta, narrowed by status and pipeline (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    const other = await mock.pipelines.create({ name: 'Support' });
    const open: Conversation[] = [];
    for (let at = 0; at < 3; at += 1) {
      open.push(await mock.conversations.create({ status: 'open' }));
    }
    await mock.conversations.create({ status: 'resolved' });
    const elsewhere = await mock.conversations.create({ status: 'open', pipelineId: other.id });

    const page = await send<Conversation[]>('conversations.list', { query: 'limit=2&offset=1&status=open' });
    expect(page.status).toBe(200);
    expect(page.body.success).toBe(true);
    expect(page.body.meta).toEqual({ total: 4, limit: 2, offset: 1 });
    expect(page.body.data).toEqual([open[2], open[1]]);

    const narrowed = await send<Conversation[]>('conversations.list', {
      query: `status=open&pipelineId=${other.id.toUpperCase()}`,
    });
    expect(narrowed.body.data).toEqual([elsewhere]);
  });

  test(`GET /conversations/{id} returns the conversation with its latest messages in reading order (${host.name})`, async () => {
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
  });

  test(`POST /conversations/{id}/messages stores an outbound message and responds with 201 and the message (${host.name})`, async () => {
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
  });

  test(`GET /leads lists a page, narrowed by status, source, pipeline and search (${host.name})`, async () => {
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
  });

  test(`POST /leads creates a lead with normalized phone, defaults and no notes in the response, 201 (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
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
  });

  test(`GET /leads/{id} returns the lead, with its id in upper or lower case (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    const { notes: _, ...lead } = await mock.leads.create({ displayName: 'Ana' });
    const { status, body } = await send<Lead>('leads.get', { id: lead.id.toUpperCase() });
    expect(status).toBe(200);
    expect(body.data).toEqual(lead);
  });

  test(`PATCH /leads/{id} changes the fields given and no others (${host.name})`, async () => {
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

  test(`GET /agents lists every agent (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    await mock.agents.create({ name: 'Second' });
    const { status, body } = await send<Agent[]>('agents.list');
    expect(status).toBe(200);
    expect(body.data).toEqual(await mock.agents.find());
    expect(body.data).toHaveLength(2);
  });

  test(`POST /agents/{id}/invoke responds with the text, token counts and latency of the agent (${host.name})`, async () => {
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
  });

  test(`GET /analytics/funnel counts the leads created within the range, both ends included (${host.name})`, async () => {
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
  });
}

test('GET /analytics/funnel covers the last 30 days by default, with a rate of 0 when there are no leads', async () => {
  await using service = await hosts[0]!.open();
  const { mock, send } = service;
  const now = mock.clock.now();
  mock.leads.create({ createdAt: new Date(now - 31 * 86_400_000).toISOString(), status: 'converted' });
  const { body } = await send<Funnel>('analytics.funnel');
  expect(body.data).toMatchObject({
    newLeads: 0,
    conversionRate: 0,
    range: { from: new Date(now - 30 * 86_400_000).toISOString(), to: new Date(now).toISOString() },
  });
});

test('GET /analytics/funnel with one end: 30 days before `to`, or from `from` until now', async () => {
  await using service = await hosts[0]!.open();
  const { mock, send } = service;
  const now = new Date(mock.clock.now()).toISOString();
  for (const createdAt of ['2025-01-29T23:59:59Z', '2025-01-30T00:00:00Z', '2025-03-01T00:00:01Z']) {
    mock.leads.create({ createdAt });
  }
  const funnel = async (query: string) => (await send<Funnel>('analytics.funnel', { query })).body.data;
  expect(await funnel('to=2025-03-01T00:00:00Z')).toMatchObject({
    newLeads: 1,
    range: { from: '2025-01-30T00:00:00.000Z', to: '2025-03-01T00:00:00.000Z' },
  });
  expect(await funnel('from=2025-01-30T00:00:00Z')).toMatchObject({
    newLeads: 2,
    range: { from: '2025-01-30T00:00:00.000Z', to: now },
  });
});

test('GET /analytics/funnel reaches both ends of the calendar', async () => {
  await using service = await hosts[0]!.open();
  const { mock, send } = service;
  const [first, last] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
  for (const createdAt of [first, '2025-01-01T00:00:00Z', last]) {
    mock.leads.create({ createdAt });
  }
  const whole = await send<Funnel>('analytics.funnel', { query: `from=${first}&to=${last}` });
  expect(whole.body.data).toMatchObject({ newLeads: 3, range: { from: first, to: last } });
  const early = await send<Funnel>('analytics.funnel', { query: 'to=0000-01-02T00:00:00Z' });
  expect(early.body.data).toMatchObject({ newLeads: 1, range: { from: first } });
});

test('every operation responds with the status of the contract', async () => {
  await using service = await hosts[0]!.open({ data: 'demo' });
  const { mock, send } = service;
  const ids = {
    conversations: mock.conversations.find()[0]?.id,
    leads: mock.leads.find()[0]?.id,
    agents: mock.agents.find()[0]?.id,
    analytics: undefined,
  };
  const bodies: Record<string, unknown> = {
    'conversations.sendMessage': { content: 'Hello' },
    'leads.create': { phone: PHONE },
    'leads.update': { status: 'lost' },
    'agents.invoke': { userMessage: 'Hello' },
  };
  for (const { id, status } of Object.values(operations)) {
    const resource = id.split('.')[0] as keyof typeof ids;
    const answer = await send(id, { id: ids[resource] ?? '', body: bodies[id] });
    expect([id, answer.status]).toEqual([id, status]);
    expect(answer.headers.get('content-type')).toBe('application/json');
  }
});

test('the default of agents.respond repeats the message, measured on the clock of the mock', async () => {
  await using service = await hosts[0]!.open();
  const { mock, send } = service;
  const agent = mock.agents.find()[0]!;
  const answer = () => send<AgentReply>('agents.invoke', { id: agent.id, body: { userMessage: 'Good day' } });
  const first = await answer();
  expect(first.body.data.text).toContain('Good day');
  expect(first.body.data.latencyMs).toBe(0);
  expect((await answer()).body.data).toEqual(first.body.data);
});

test.each([undefined, null, 5, {}, { text: 7 }])(
  'an agent that returns %j causes an error that says what to return',
  async (reply) => {
    const { mock, send } = open({ agents: { respond: () => reply as never } });
    const { status, body } = await send('agents.invoke', {
      id: mock.agents.find()[0]!.id,
      body: { userMessage: 'Hi' },
    });
    expect(status).toBe(500);
    expect(body.error).toContain('agents.respond() must return a string or { text, … }, returned ');
  },
);
