import type { Readable } from 'node:stream';
import { fetch as undiciFetch } from 'undici';
import { expectTypeOf, test } from 'vitest';
import type {
  Agent,
  AgentInvoke,
  AgentReply,
  ApiPromise,
  Confab,
  Conversation,
  ConversationDetail,
  ConversationStatus,
  EnsureSummary,
  Funnel,
  Lead,
  LeadCreate,
  LeadUpdate,
  Message,
  MessageSend,
  Page,
  PaginationMeta,
  ResponseInfo,
} from '../src/index.ts';
import { createClient } from '../src/index.ts';
import type { components } from './generated/openapi-types.ts';

declare const confab: Confab;
const id = '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11';

test('leads.create needs a phone, and accepts only the fields of the API', () => {
  // @ts-expect-error no phone
  confab.leads.create({});
  // @ts-expect-error a phone is a string
  confab.leads.create({ phone: 5511987654321 });
  // @ts-expect-error an unknown field
  confab.leads.create({ phone: '+5511987654321', nickname: 'Ana' });
  expectTypeOf(confab.leads.create({ phone: '+5511987654321', notes: null })).toEqualTypeOf<
    ApiPromise<Lead>
  >();
});

test('request enums are closed', () => {
  // @ts-expect-error no conversation is closed
  confab.conversations.list({ status: 'closed' });
  // @ts-expect-error no lead can be set to closed
  confab.leads.update(id, { status: 'closed' });
  confab.conversations.list({ status: 'snoozed' });
  confab.leads.update(id, { status: 'lost' });
  // As the API has it, leads are listed by any string.
  confab.leads.list({ status: 'archived' });
});

test('response enums are open: known values are typed, and any string is possible', () => {
  expectTypeOf<'open'>().toExtend<Conversation['status']>();
  expectTypeOf<ConversationStatus>().toExtend<Conversation['status']>();
  expectTypeOf<string>().toExtend<Conversation['status']>();
  expectTypeOf<number>().not.toExtend<Conversation['status']>();
});

test('a list is a page when awaited, and rows when iterated', async () => {
  const list = confab.leads.list();
  expectTypeOf(await list).toEqualTypeOf<Page<Lead>>();
  expectTypeOf((await list).meta.total).toEqualTypeOf<number>();
  for await (const lead of list) {
    expectTypeOf(lead).toEqualTypeOf<Lead>();
  }
  for await (const page of list.pages()) {
    expectTypeOf(page.data).toEqualTypeOf<Lead[]>();
  }
  expectTypeOf(await list.all({ max: 5, concurrency: 2 })).toEqualTypeOf<Lead[]>();
  expectTypeOf(await Array.fromAsync(confab.conversations.list())).toEqualTypeOf<Conversation[]>();
});

/** The parameters of useQuery, useSWR and other functions that call what makes a promise. */
declare const useQuery: <Data>(options: { queryFn: () => Data | Promise<Data> }) => { data: Data };

test('libraries that call a function for a promise see that a list is a page, and an import its summary', () => {
  expectTypeOf(useQuery({ queryFn: () => confab.leads.list() }).data).toEqualTypeOf<Page<Lead>>();
  expectTypeOf(useQuery({ queryFn: () => confab.leads.ensureMany([]) }).data).toEqualTypeOf<EnsureSummary>();
  expectTypeOf(useQuery({ queryFn: () => confab.leads.get(id) }).data).toEqualTypeOf<Lead>();
  expectTypeOf(confab.leads.list()).toExtend<Promise<Page<Lead>>>();
});

test('fetch may be the one of the platform, of undici or of node-fetch, or a function around one', () => {
  createClient({ fetch });
  createClient({ fetch: undiciFetch });
  createClient({ fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }) });
  createClient({
    fetch: (url, init) => undiciFetch(url, { ...init, headers: { ...init.headers, 'x-tenant': 'acme' } }),
  });
  createClient({
    fetch: async (input: string | URL | Request, init?: RequestInit) => fetch(new Request(input, init)),
  });
  // As the types of node-fetch have it: its bodies are streams of Node.
  type NodeResponse = {
    status: number;
    headers: Iterable<[string, string]>;
    body: Readable | null;
    text(): Promise<string>;
  };
  type NodeInit = {
    method?: string;
    headers?: Iterable<readonly [string, string]> | Record<string, string>;
    body?: string | Readable | null;
  };
  createClient({ fetch: (_: string | URL, __?: NodeInit): Promise<NodeResponse> => Promise.reject() });
  // @ts-expect-error the client reads the text
  createClient({ fetch: async () => ({ status: 200, headers: new Headers(), json: async () => ({}) }) });
  // @ts-expect-error no promise
  createClient({ fetch: () => new Response() });
});

test('the list of agents does not come in pages', async () => {
  expectTypeOf(await confab.agents.list()).toEqualTypeOf<Agent[]>();
  // @ts-expect-error it is an array's promise
  confab.agents.list().all();
});

test('withResponse and asResponse are typed', async () => {
  const call = confab.conversations.get(id);
  expectTypeOf(await call).toEqualTypeOf<ConversationDetail>();
  expectTypeOf(await call.withResponse()).toEqualTypeOf<{
    data: ConversationDetail;
    response: ResponseInfo;
  }>();
  expectTypeOf(await call.asResponse()).toEqualTypeOf<Response>();
});

test('required arguments cannot be left out', () => {
  // @ts-expect-error no id
  confab.leads.get();
  // @ts-expect-error no body
  confab.agents.invoke(id);
  // @ts-expect-error content is a string
  confab.conversations.sendMessage(id, { content: null });
  // @ts-expect-error messagesLimit is a number
  confab.conversations.get(id, { messagesLimit: '50' });
});

test('options accept undefined, so environment variables can be passed on', () => {
  createClient({ apiKey: process.env.CONFAB_API_KEY, baseUrl: process.env.CONFAB_BASE_URL });
  // @ts-expect-error no such style
  createClient({ auth: 'basic' });
  // @ts-expect-error `perMs` is required
  createClient({ rateLimit: { requests: 5 } });
});

/** What a type made of OpenAPI calls `unknown | string` and the like, made comparable: open enums become strings. */
type Wide<T> = T extends string
  ? string
  : T extends (infer Item)[]
    ? Wide<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wide<T[Key]> }
      : T;

test('types generated from the OpenAPI document agree with the package’s', () => {
  type Made = components['schemas'];
  expectTypeOf<Wide<Made['Lead']>>().toEqualTypeOf<Wide<Lead>>();
  expectTypeOf<Wide<Made['Message']>>().toEqualTypeOf<Wide<Message>>();
  expectTypeOf<Wide<Made['Conversation']>>().toEqualTypeOf<Wide<Conversation>>();
  expectTypeOf<Wide<Made['ConversationDetail']>>().toEqualTypeOf<Wide<ConversationDetail>>();
  expectTypeOf<Made['Agent']>().toEqualTypeOf<Agent>();
  expectTypeOf<Made['AgentReply']>().toEqualTypeOf<AgentReply>();
  expectTypeOf<Made['Funnel']>().toEqualTypeOf<Funnel>();
  expectTypeOf<Made['PaginationMeta']>().toEqualTypeOf<PaginationMeta>();
  expectTypeOf<Made['LeadUpdate']['status']>().toEqualTypeOf<LeadUpdate['status']>();
  expectTypeOf<Required<Made['LeadCreate']>>().toEqualTypeOf<{
    [Key in keyof LeadCreate]-?: Exclude<LeadCreate[Key], undefined>;
  }>();
  expectTypeOf<Made['MessageSend']>().toEqualTypeOf<MessageSend>();
  expectTypeOf<Made['AgentInvoke']>().toEqualTypeOf<AgentInvoke>();
});

test('catch of a list and of an import passes a reason of the same type as a promise', () => {
  confab.leads.list().catch((reason) => expectTypeOf(reason).toBeAny());
  confab.leads.list().then(undefined, (reason) => expectTypeOf(reason).toBeAny());
  confab.leads.ensureMany([]).catch((reason) => expectTypeOf(reason).toBeAny());
  expectTypeOf(confab.leads.list().catch(() => 7)).toEqualTypeOf<Promise<Page<Lead> | number>>();
});
