import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@confab/internal/test-support';
import { createMock } from '../../src/index.ts';

/** What a service does with one request, in place of its usual response. */
type Hostility = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

export const json = (outgoing: ServerResponse, status: number, body: unknown, headers = {}): void => {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/** The body of a response with a page of rows. */
export const pageOf = (data: readonly unknown[], meta: object = {}) => ({
  success: true,
  data,
  meta: { total: data.length, limit: 25, offset: 0, ...meta },
});

export const PIPELINE = '0190a0b0-0000-4000-8000-00000000000a';

/** An id that ends with a number. */
export const idOf = (at: number): string => `0190a0b0-0000-4000-8000-${String(at).padStart(12, '0')}`;

const momentOf = (at: number): string => new Date(Date.UTC(2025, 0, 1, 0, at)).toISOString();

export const leadOf = (at: number, more: object = {}) => ({
  id: idOf(at),
  pipelineId: PIPELINE,
  phone: `+551198765${String(1000 + at)}`,
  displayName: `Quitéria Nº${at} Prado`,
  email: `quiteria.${at}@prado.example`,
  source: 'website',
  status: 'new',
  createdAt: momentOf(at),
  ...more,
});

/** An account whose rows, codes, order of messages, replies and funnel are not those of a mock by default. */
const createAccount = () => {
  const mock = createMock({
    behavior: { codes: { '*': { 404: 'NOT_THERE', 409: 'LEAD_EXISTS' } }, messages: { order: 'desc' } },
    agents: {
      respond: () => ({ text: 'Quitéria should pay 12 reais', tokensIn: 7, tokensOut: 9, latencyMs: 812 }),
    },
    data: {
      pipelines: [{ id: PIPELINE }],
      leads: [leadOf(1), leadOf(2)],
      conversations: [
        {
          id: idOf(50),
          leadId: idOf(1),
          priority: 'high',
          createdAt: momentOf(2),
          lastMessageAt: momentOf(3),
        },
      ],
      messages: [
        {
          conversationId: idOf(50),
          content: 'My card is 4111 1111 1111 1111, call +55 11 98765-1001',
          createdAt: momentOf(3),
        },
      ],
      agents: [{ id: idOf(70), name: 'Qualifier', description: 'Written by Quitéria Nº1 Prado' }],
    },
  });
  const counts = { newLeads: 41, activeLeads: 5, qualified: 3, converted: 2, conversionRate: 0.0488 };
  const range = { from: momentOf(0), to: momentOf(9) };
  mock.faults.always('analytics.funnel', { body: { success: true, data: { ...counts, range } } });
  // Unlike a mock, it checks nothing but that a phone is new, and its next ids can be told from others.
  mock.faults.always('leads.create', ({ body }) => {
    const { notes: _, ...fields } = body as { phone: string; notes?: string };
    if (mock.leads.find().some(({ phone }) => phone === fields.phone)) {
      return undefined;
    }
    const data = leadOf(3, { displayName: null, email: null, source: 'api', ...fields });
    if (typeof fields.phone === 'string') {
      mock.leads.create(data);
    }
    return { status: 201, body: { success: true, data } };
  });
  mock.faults.always('conversations.sendMessage', ({ body }) => {
    const { content } = body as { content: string };
    const conversationId = idOf(50);
    const data = mock.messages.create({ id: idOf(102), conversationId, senderType: 'human', content });
    return { status: 201, body: { success: true, data } };
  });
  return mock;
};

/** A service under a path of its own, which takes any key. */
export const startRealService = async () => {
  const mock = createAccount();
  const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const hostile = new Map<string, Hostility[]>();
  const url = await listen(async (incoming, outgoing) => {
    const { method = '', url: target = '', headers } = incoming;
    const body = await text(incoming);
    received.push({ method, url: target, headers, body });
    const [path = ''] = target.split('?');
    const planned = hostile.get(`${method} ${path.replace('/base/api/v2/public/', '')}`)?.shift();
    if (planned !== undefined) {
      planned(incoming, outgoing);
      return;
    }
    const response = await mock.fetch(mock.baseUrl + target.replace('/base', ''), {
      method,
      headers: { 'x-api-key': mock.apiKey },
      ...(body && { body }),
    });
    json(outgoing, response.status, await response.json());
  });
  return {
    url: `${url}/base`,
    received,
    /** Does something else for the next request of this kind. */
    once: (request: string, hostility: Hostility) => {
      hostile.set(request, [...(hostile.get(request) ?? []), hostility]);
    },
  };
};
