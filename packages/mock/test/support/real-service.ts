import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '@confab/internal/test-support';

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

const textIn = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
};

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

/** A hand-written service of a real account: two leads, a conversation, an agent. */
export const startRealService = async () => {
  const received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const leads = [leadOf(2), leadOf(1)];
  const messages = [
    {
      id: idOf(101),
      conversationId: idOf(50),
      senderType: 'lead',
      direction: 'inbound',
      messageType: 'text',
      content: 'My card is 4111 1111 1111 1111, call +55 11 98765-1001',
      createdAt: momentOf(3),
    },
  ];
  const conversation = {
    id: idOf(50),
    pipelineId: PIPELINE,
    leadId: idOf(1),
    channel: 'live_chat',
    status: 'open',
    priority: 'high',
    lastMessageAt: momentOf(3),
    createdAt: momentOf(2),
  };
  const agent = {
    id: idOf(70),
    name: 'Qualifier',
    description: 'Written by Quitéria Nº1 Prado',
    llmProvider: 'acme',
    llmModel: 'acme-1',
    updatedAt: momentOf(0),
  };
  const hostile = new Map<string, Hostility[]>();

  const usual = (incoming: IncomingMessage, outgoing: ServerResponse, body: string): unknown => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://service');
    const [, resource = '', id, action] =
      /^\/base\/api\/v2\/public\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    const ok = (data: unknown, status = 200) => json(outgoing, status, { success: true, data });
    const refuse = (status: number, code: string, error: string) =>
      json(outgoing, status, { success: false, error, code });
    const lead = leads.find((each) => each.id === id);
    const page = (rows: readonly { status: string }[]) => {
      const [limit, offset] = [
        Number(searchParams.get('limit') ?? 25),
        Number(searchParams.get('offset') ?? 0),
      ];
      const wanted = searchParams.get('status');
      const matching = rows.filter(({ status }) => wanted === null || status === wanted);
      const data = matching.slice(offset, offset + limit);
      json(outgoing, 200, pageOf(data, { total: matching.length, limit, offset }));
    };
    switch (`${incoming.method} ${[resource, id && '{id}', action].filter(Boolean).join('/')}`) {
      case 'GET leads':
        return page(leads);
      case 'POST leads': {
        const given = JSON.parse(body) as { phone: string; notes?: string };
        const { notes: _, ...fields } = given;
        if (leads.some(({ phone }) => phone === given.phone)) {
          return refuse(409, 'LEAD_EXISTS', `There is a lead with the phone ${given.phone}`);
        }
        const created = leadOf(3, { displayName: null, email: null, source: 'api', ...fields });
        leads.unshift(created);
        return ok(created, 201);
      }
      case 'PATCH leads/{id}': {
        const { notes: _, ...fields } = JSON.parse(body) as { notes?: string };
        return lead ? ok(Object.assign(lead, fields)) : refuse(404, 'NO_LEAD', 'No');
      }
      case 'GET leads/{id}':
        return lead ? ok(lead) : refuse(404, 'NO_LEAD', `No lead ${id}`);
      case 'GET conversations':
        return page([conversation]);
      case 'GET conversations/{id}':
        return ok({ ...conversation, messages });
      case 'POST conversations/{id}/messages': {
        const { content } = JSON.parse(body) as { content: string };
        const sent = {
          ...messages[0],
          id: idOf(102),
          senderType: 'human',
          direction: 'outbound',
          content,
          createdAt: momentOf(9),
        };
        messages.unshift(sent as (typeof messages)[number]);
        return ok(sent, 201);
      }
      case 'GET agents':
        return ok([agent]);
      case 'POST agents/{id}/invoke':
        return ok({ text: 'Quitéria should pay 12 reais', tokensIn: 7, tokensOut: 9, latencyMs: 812 });
      case 'GET analytics/funnel':
        return ok({
          newLeads: 41,
          activeLeads: 5,
          qualified: 3,
          converted: 2,
          conversionRate: 0.0488,
          range: { from: momentOf(0), to: momentOf(9) },
        });
      default:
        return refuse(404, 'NO_PATH', 'No such path');
    }
  };

  const url = await listen(async (incoming, outgoing) => {
    const body = await textIn(incoming);
    const { method = '', url: target = '', headers } = incoming;
    received.push({ method, url: target, headers, body });
    const planned = hostile
      .get(`${method} ${target.split('?')[0]?.replace('/base/api/v2/public/', '')}`)
      ?.shift();
    if (planned === undefined) {
      usual(incoming, outgoing, body);
    } else {
      planned(incoming, outgoing);
    }
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
