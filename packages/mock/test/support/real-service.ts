import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@confab/internal/test-support';
import type { MockData } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';

/** Handles one request to the service, in place of its usual response. */
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

/** A service of a real account under `/base`: two leads, a conversation, an agent. It keeps what it received. */
export const startRealService = async () => {
  const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const hostile = new Map<string, Hostility[]>();
  const mock = createMock({
    data: {
      pipelines: [{ id: PIPELINE }],
      leads: [leadOf(2), leadOf(1)] as MockData['leads'],
      conversations: [
        { id: idOf(50), leadId: idOf(1), channel: 'live_chat', priority: 'high', createdAt: momentOf(2) },
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
    agents: { respond: () => ({ text: 'Quitéria should pay 12 reais', latencyMs: 812 }) },
    behavior: { codes: { 'leads.create': { 409: 'LEAD_EXISTS' } } },
  });

  const url = await listen(async (incoming, outgoing) => {
    const { method = '', url: target = '', headers } = incoming;
    const body = await text(incoming);
    received.push({ method, url: target, headers, body });
    const path = target.replace('/base', '');
    const [name = ''] = path.replace('/api/v2/public/', '').split('?');
    const planned = hostile.get(`${method} ${name}`)?.shift();
    if (planned !== undefined) {
      planned(incoming, outgoing);
      return;
    }
    const init = { method, headers: { 'x-api-key': mock.apiKey }, body: body || null };
    const response = await mock.fetch(mock.baseUrl + path, init);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  return {
    url: `${url}/base`,
    received,
    /** Handles the next request of this kind differently. */
    once: (request: string, hostility: Hostility) => {
      hostile.set(request, [...(hostile.get(request) ?? []), hostility]);
    },
  };
};
