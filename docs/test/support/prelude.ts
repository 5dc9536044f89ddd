import { createServer } from 'node:http';
import type { Confab, Conversation, Lead, LeadCreate } from '@confab/client';
import { createClient } from '@confab/client';
import type { RateLimitStore } from '@confab/client/rate-limit';
import type { Mock } from '@confab/mock';
import { createMock } from '@confab/mock';
import type { MessageCreated, SignatureOptions, Webhooks } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newerService } from './newer-service.ts';

/** The service that the blocks call, which is a mock. */
export const BASE_URL = 'https://api.example.com';

/**
 * Names that code blocks use and do not declare: what an earlier block of the same page made, and what stands for the
 * reader's own code.
 */
export interface Prelude {
  // Imported or made by an earlier block.
  readonly createServer: typeof createServer;
  readonly setupServer: typeof setupServer;
  readonly confab: Confab;
  readonly mock: Mock;
  readonly webhooks: Webhooks;

  // Values that the reader has.
  readonly id: string;
  readonly phone: string;
  readonly url: string;
  readonly secret: string;
  readonly signature: SignatureOptions;
  readonly body: string;
  readonly headers: Headers;
  readonly data: MessageCreated;
  readonly error: unknown;
  readonly lead: Lead;
  readonly key: string;
  readonly conversationId: string;
  readonly method: string;
  readonly request: { readonly method: string; readonly headers: Headers; readonly rawBody: string };
  readonly signal: AbortSignal;
  readonly thousandLeads: readonly LeadCreate[];
  readonly rows: AsyncIterable<LeadCreate>;
  readonly store: RateLimitStore;

  // The reader's own code.
  readonly greet: (lead: Lead) => Promise<void>;
  readonly qualify: (confab: Confab, id: string) => Promise<void>;
  readonly signUp: (confab: Confab, phone: string) => Promise<void>;
  readonly importAll: (confab: Confab, leads: readonly LeadCreate[]) => Promise<void>;
  readonly yourCode: (options: { baseUrl: string; apiKey: string }) => Promise<void>;
  readonly readSecret: (name: string) => Promise<string>;
  readonly show: (conversation: Conversation) => void;
  readonly report: (...facts: unknown[]) => void;
  readonly requeueIn: (ms: number) => void;
  readonly metrics: { increment(name: string): void; count(name: string, labels: object): void };
  readonly app: {
    post(path: string, handler: unknown): void;
    register(plugin: unknown, options: object): Promise<void>;
  };

  // The test runner's.
  readonly test: typeof test;
  readonly expect: typeof expect;
  readonly beforeAll: typeof beforeAll;
  readonly afterAll: typeof afterAll;
}

const ignore = () => {};

/** The service, in which one person has signed up and written "Hello". */
const createService = async (secret: string) => {
  const mock = createMock({ baseUrl: BASE_URL });
  const confab = createClient({ ...mock.clientOptions, fetch: newerService(mock.fetch) });
  const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, fetch: webhooks.fetch });
  await confab.leads.create({ phone: '+5511987654321' });
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  const lead = mock.leads.create({ phone: '+12025550100', status: 'new', displayName: 'Ada' });
  // Pages get a lead and invoke an agent by the same name, `id`.
  mock.agents.create({ id: lead.id, name: 'Agent' });
  return { mock, confab, webhooks, lead, conversationId: conversation.id };
};

/** Makes a value for each name, for one block. */
export const createPrelude = async (): Promise<Prelude> => {
  const secret = 'a secret of the test';
  const signature = { header: 'x-webhook-signature' };
  const service = await createService(secret);
  const { mock, lead, conversationId } = service;
  const data: MessageCreated = { conversationId, channel: 'web', body: 'Hello' };
  const body = JSON.stringify({ event: 'message.created', data });
  const headers = new Headers(await sign(body, { secret, signature }));
  const thousandLeads = Array.from({ length: 1000 }, (_, row) => ({ phone: `+1202556${1000 + row}` }));
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
    error: new Error('An error of the test'),
    key: mock.apiKey,
    method: 'POST',
    request: { method: 'POST', headers, rawBody: body },
    signal: new AbortController().signal,
    thousandLeads,
    rows: (async function* () {
      yield* thousandLeads.slice(0, 10);
    })(),
    store: {
      take: async ({ count }) => ({
        places: Array.from({ length: count }, () => crypto.randomUUID()),
        waitMs: 0,
        pausedMs: 0,
      }),
      release: async () => {},
      pause: async () => {},
    },
    greet: async ({ id }) => {
      await service.confab.leads.get(id);
    },
    qualify: async (confab, id) => {
      await confab.leads.update(id, { status: 'qualified' });
    },
    signUp: async (confab, phone) => {
      await confab.leads.create({ phone });
    },
    importAll: async (confab, leads) => {
      await confab.leads.ensureMany(leads);
    },
    yourCode: async (options) => {
      await createClient(options).agents.list();
    },
    readSecret: async () => mock.apiKey,
    show: ignore,
    report: ignore,
    requeueIn: ignore,
    metrics: { increment: ignore, count: ignore },
    app: { post: ignore, register: async () => {} },
    test,
    expect,
    beforeAll,
    afterAll,
  };
};

/** Declares the names for the compiler, in a file that is two folders below `docs`. */
export const declarePrelude = async (): Promise<string> => {
  const names = Object.keys(await createPrelude());
  const lines = names.map(
    (name) => `const ${name}: import('../../test/support/prelude.ts').Prelude['${name}'];`,
  );
  return `declare global {\n${lines.join('\n')}\n}\nexport {};\n`;
};
