import { expect, test } from 'vitest';
import { operations } from '../src/contract/index.ts';
import type { Confab } from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { agent, agentReply, conversation, funnel, ids, KEY, lead, message } from './support/data.ts';
import { json, startServer, success } from './support/server.ts';

const root = '/api/v2/public';
const detail = { ...conversation, messages: [message] };
const rows = [
  {
    row: 'GET /conversations with every query parameter → 200, data and meta',
    call: (confab: Confab) =>
      confab.conversations.list({ limit: 10, offset: 20, status: 'snoozed', pipelineId: ids.pipeline }),
    sends: [
      'GET',
      `${root}/conversations`,
      { limit: '10', offset: '20', status: 'snoozed', pipelineId: ids.pipeline },
    ],
    answer: json(200, { success: true, data: [conversation], meta: { total: 21, limit: 10, offset: 20 } }),
    gives: expect.objectContaining({ data: [conversation], meta: { total: 21, limit: 10, offset: 20 } }),
  },
  {
    row: 'GET /conversations/{id} with messagesLimit → 200, ConversationDetail',
    call: (confab: Confab) => confab.conversations.get(ids.conversation, { messagesLimit: 5 }),
    sends: ['GET', `${root}/conversations/${ids.conversation}`, { messagesLimit: '5' }],
    answer: success(detail),
    gives: detail,
  },
  {
    row: 'POST /conversations/{id}/messages → 201, Message',
    call: (confab: Confab) => confab.conversations.sendMessage(ids.conversation, { content: 'Hello' }),
    sends: ['POST', `${root}/conversations/${ids.conversation}/messages`, {}, { content: 'Hello' }],
    answer: success(message, 201),
    gives: message,
  },
  {
    row: 'GET /leads with every query parameter → 200, data and meta',
    call: (confab: Confab) =>
      confab.leads.list({
        limit: 100,
        offset: 0,
        status: 'new',
        source: 'ads & more',
        pipelineId: ids.pipeline,
        search: '+55 11',
      }),
    sends: [
      'GET',
      `${root}/leads`,
      {
        limit: '100',
        offset: '0',
        status: 'new',
        source: 'ads & more',
        pipelineId: ids.pipeline,
        search: '+55 11',
      },
    ],
    answer: json(200, { success: true, data: [lead], meta: { total: 1, limit: 100, offset: 0 } }),
    gives: expect.objectContaining({ data: [lead], meta: { total: 1, limit: 100, offset: 0 } }),
  },
  {
    row: 'POST /leads → 201, Lead',
    call: (confab: Confab) =>
      confab.leads.create({ phone: '(11) 98765-4321', displayName: null, source: 'ads', notes: 'VIP' }),
    sends: [
      'POST',
      `${root}/leads`,
      {},
      { phone: '(11) 98765-4321', displayName: null, source: 'ads', notes: 'VIP' },
    ],
    answer: success(lead, 201),
    gives: lead,
  },
  {
    row: 'GET /leads/{id} → 200, Lead',
    call: (confab: Confab) => confab.leads.get(ids.lead),
    sends: ['GET', `${root}/leads/${ids.lead}`, {}],
    answer: success(lead),
    gives: lead,
  },
  {
    row: 'PATCH /leads/{id} → 200, Lead',
    call: (confab: Confab) => confab.leads.update(ids.lead, { status: 'qualified', email: null }),
    sends: ['PATCH', `${root}/leads/${ids.lead}`, {}, { status: 'qualified', email: null }],
    answer: success(lead),
    gives: lead,
  },
  {
    row: 'GET /agents → 200, data without meta',
    call: (confab: Confab) => confab.agents.list(),
    sends: ['GET', `${root}/agents`, {}],
    answer: success([agent]),
    gives: [agent],
  },
  {
    row: 'POST /agents/{id}/invoke → 200, text and token counts',
    call: (confab: Confab) => confab.agents.invoke(ids.agent, { userMessage: 'Open on Sunday?' }),
    sends: ['POST', `${root}/agents/${ids.agent}/invoke`, {}, { userMessage: 'Open on Sunday?' }],
    answer: success(agentReply),
    gives: agentReply,
  },
  {
    row: 'GET /analytics/funnel with a Date and a string → 200, funnel',
    call: (confab: Confab) =>
      confab.analytics.funnel({ from: new Date(Date.UTC(2026, 0, 1)), to: '2026-01-31T00:00:00-03:00' }),
    sends: [
      'GET',
      `${root}/analytics/funnel`,
      { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T00:00:00-03:00' },
    ],
    answer: success(funnel),
    gives: funnel,
  },
] as const;

test.each(rows)(
  'the method sends and returns what the API documents: $row',
  async ({ call, sends, answer, gives }) => {
    const server = await startServer(answer);
    const drifts: unknown[] = [];
    const confab = clientAt(server.url, { hooks: { onDrift: (facts) => drifts.push(facts) } });

    expect(await call(confab)).toEqual(gives);

    const [method, path, query, body] = sends;
    expect(server.arrivals).toHaveLength(1);
    const [arrival] = server.arrivals;
    expect([arrival!.method, arrival!.path]).toEqual([method, path]);
    expect(Object.fromEntries(arrival!.query)).toEqual(query);
    expect(arrival!.body === '' ? undefined : JSON.parse(arrival!.body)).toEqual(body);
    expect(arrival!.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    expect(arrival!.headers['x-api-key']).toBe(KEY);
    expect(drifts).toEqual([]);
  },
);

test('only reads and leads.update may be retried after an unknown outcome', () => {
  for (const { id, method, idempotent } of Object.values(operations)) {
    expect([id, idempotent]).toEqual([id, method === 'GET' || id === 'leads.update']);
  }
});

test('this table tests every operation of the contract', () => {
  const known = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
  const shown = rows.map(({ sends: [method, path] }) =>
    `${method} ${path}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '{id}'),
  );
  expect(shown.sort()).toEqual(known.sort());
});
