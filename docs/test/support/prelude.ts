import { createServer } from 'node:http';
import type { Confab, Conversation, Lead, LeadCreate, Message } from '@confab/client';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import type { MessageCreated, SignatureOptions } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** The service that the blocks call, which is a mock. */
export const BASE_URL = 'https://api.example.com';

/** Adds what the guide calls newer than the client to a service: an operation for tags, and two fields. */
const newerService =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const body = request.body === null ? undefined : ((await request.json()) as Record<string, unknown>);
    if (url.pathname === '/api/v2/public/tags') {
      return Response.json({ success: true, data: { id: crypto.randomUUID(), ...body } }, { status: 201 });
    }
    url.searchParams.delete('notify');
    const { score: _, ...known } = body ?? {};
    const { method, headers } = request;
    return send(
      new Request(url, { method, headers, body: body === undefined ? null : JSON.stringify(known) }),
    );
  };

/** Creates the service, in which one person has signed up and written "Hello". */
const createService = async (secret: string) => {
  const mock = createMock({ baseUrl: BASE_URL });
  const confab = createClient({ ...mock.clientOptions, fetch: newerService(mock.fetch) });
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, fetch: webhooks.fetch });
  await confab.leads.create({ phone: '+5511987654321' });
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  const lead = mock.leads.create({ phone: '+12025550100', status: 'new', displayName: 'Ada' });
  // Blocks use the same name, `id`, to get a lead and to invoke an agent.
  mock.agents.create({ id: lead.id, name: 'Agent' });
  return { mock, confab, webhooks, lead, conversationId: conversation.id };
};

/**
 * Creates a value for each name that a block uses and does not declare: a result of an earlier block on the same page, or a
 * substitute for the reader's own values and code.
 */
export const createPrelude = async () => {
  const secret = 'a secret of the test';
  const signature: SignatureOptions = { header: 'x-webhook-signature' };
  const service = await createService(secret);
  const { mock, lead, conversationId } = service;
  const data: MessageCreated = { conversationId, channel: 'web', body: 'Hello' };
  const body = JSON.stringify({ event: 'message.created', data });
  const headers = new Headers(await sign(body, { secret, signature }));
  const thousandLeads: readonly LeadCreate[] = Array.from({ length: 1000 }, (_, row) => ({
    phone: `+1202556${1000 + row}`,
  }));
  return {
    createServer,
    setupServer,
    ...service,
    id: lead.id,
    phone: '+12025550199',
    url: 'https://receiver.test/',
    secret,
    signature,
    body,
    headers,
    data,
    error: new Error('An error of the test') as unknown,
    key: mock.apiKey,
    method: 'POST',
    request: { method: 'POST', headers, rawBody: body },
    signal: new AbortController().signal,
    thousandLeads,
    rows: (async function* () {
      yield* thousandLeads.slice(0, 10);
    })(),
    greet: async ({ id }: Lead) => {
      await service.confab.leads.get(id);
    },
    qualify: async (confab: Confab, id: string) => {
      await confab.leads.update(id, { status: 'qualified' });
    },
    signUp: async (confab: Confab, phone: string) => {
      await confab.leads.create({ phone });
    },
    importAll: async (confab: Confab, leads: readonly LeadCreate[]) => {
      await confab.leads.ensureMany(leads);
    },
    yourCode: async (options: { baseUrl: string; apiKey: string }) => {
      await createClient(options).agents.list();
    },
    readSecret: async (_name: string) => mock.apiKey,
    copyConversation: async (_conversation: Conversation) => {},
    copyLead: async (_lead: Lead) => {},
    copyMessage: async (_message: Message) => {},
    idsOfCopiedLeads: async () => [crypto.randomUUID()],
    markAsGone: async (_id: string) => {},
    show: (_conversation: Conversation) => {},
    report: (..._facts: unknown[]) => {},
    requeueIn: (_ms: number) => {},
    metrics: { increment: vi.fn<(name: string) => void>(), count: (_name: string, _labels: object) => {} },
    app: {
      post: (_path: string, _handler: unknown) => {},
      register: async (_plugin: unknown, _options: object) => {},
    },
    test,
    expect,
    beforeAll,
    afterAll,
  };
};

export type Prelude = Awaited<ReturnType<typeof createPrelude>>;
