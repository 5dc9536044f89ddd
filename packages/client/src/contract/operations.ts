import * as z from 'zod/mini';
import { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './agent.ts';
import { FunnelQuerySchema, FunnelSchema } from './analytics.ts';
import {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationSchema,
} from './conversation.ts';
import { itemOf, listOf, pageOf } from './envelope.ts';
import { IdSchema } from './fields.ts';
import { LeadCreateSchema, LeadListQuerySchema, LeadSchema, LeadUpdateSchema } from './lead.ts';
import { MessageSchema, MessageSendSchema } from './message.ts';

/** One operation of the API, as data: client methods, mock routes and the OpenAPI document derive from it. */
export interface Operation {
  /** `resource.method`, as in the client: `leads.create`. */
  readonly id: string;
  /** The HTTP method. */
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path below the base URL, with `{name}` for each path parameter. */
  readonly path: `/api/v2/public/${string}`;
  /** The schema of the path parameters. */
  readonly params?: z.ZodMiniObject;
  /** The schema of the query. */
  readonly query?: z.ZodMiniObject;
  /** The schema of the request body. */
  readonly body?: z.ZodMiniObject;
  /** The status of a success. */
  readonly status: 200 | 201;
  /** The schema of the body of a success, including the envelope. */
  readonly response: z.ZodMiniObject<{
    /** Always `true`. */
    success: z.ZodMiniType<true>;
    /** The schema of the value, or of the list of rows. */
    data: z.ZodMiniType;
  }>;
  /** The error statuses that the API lists for this operation. Every operation may also respond with 401 and 429. */
  readonly errors: readonly number[];
  /**
   * The scope that a key needs. The API does not publish it: this is our choice, and the mock lets users override it.
   */
  readonly scope: `${'read' | 'write'}:${string}`;
  /** Whether a retry is safe, so that the client may send the request again after an unknown outcome. */
  readonly idempotent: boolean;
  /** The default time limit of one attempt, in milliseconds. */
  readonly timeout: number;
  /** The default time limit of the whole call, in milliseconds, including the queue, waits and retries. */
  readonly totalTimeout: number;
}

/** The fields that most operations share. */
const usual = { status: 200, errors: [], idempotent: true, timeout: 30_000, totalTimeout: 120_000 } as const;
/** The fields of a POST that creates something: a retry may create it again. */
const creates = { ...usual, status: 201, idempotent: false } as const;

const byId = z.strictObject({ id: IdSchema });

/** Every operation of the API, by id. The OpenAPI document describes each with its doc comment. */
export const operations = {
  /**
   * List conversations.
   *
   * Returns one page of the account’s conversations, optionally only those with one status or in one pipeline. The API
   * does not publish the order.
   *
   * @returns A page of conversations.
   */
  'conversations.list': {
    ...usual,
    id: 'conversations.list',
    method: 'GET',
    path: '/api/v2/public/conversations',
    query: ConversationListQuerySchema,
    response: pageOf(ConversationSchema),
    errors: [401, 403, 429],
    scope: 'read:conversations',
  },
  /**
   * Read a conversation with its messages.
   *
   * Returns a conversation with its messages: 50 of them, or as many as `messagesLimit` allows.
   *
   * @returns The conversation with its messages.
   */
  'conversations.get': {
    ...usual,
    id: 'conversations.get',
    method: 'GET',
    path: '/api/v2/public/conversations/{id}',
    params: byId,
    query: ConversationGetQuerySchema,
    response: itemOf(ConversationDetailSchema),
    errors: [401, 404],
    scope: 'read:conversations',
  },
  /**
   * Send a message to a conversation.
   *
   * Sends a message to the lead over the channel of the conversation. A repeated request sends the message again.
   *
   * @returns The message that was sent.
   */
  'conversations.sendMessage': {
    ...creates,
    id: 'conversations.sendMessage',
    method: 'POST',
    path: '/api/v2/public/conversations/{id}/messages',
    params: byId,
    body: MessageSendSchema,
    response: itemOf(MessageSchema),
    errors: [401, 404],
    scope: 'write:conversations',
  },
  /**
   * List leads.
   *
   * Returns one page of the account’s leads, optionally filtered by status, source, pipeline or a search text. The API
   * does not publish the order.
   *
   * @returns A page of leads.
   */
  'leads.list': {
    ...usual,
    id: 'leads.list',
    method: 'GET',
    path: '/api/v2/public/leads',
    query: LeadListQuerySchema,
    response: pageOf(LeadSchema),
    scope: 'read:leads',
  },
  /**
   * Create a lead.
   *
   * Creates a lead. Each phone number belongs to one lead of the account: a second one is refused with 409.
   *
   * @returns The lead that was created.
   */
  'leads.create': {
    ...creates,
    id: 'leads.create',
    method: 'POST',
    path: '/api/v2/public/leads',
    body: LeadCreateSchema,
    response: itemOf(LeadSchema),
    errors: [400, 409],
    scope: 'write:leads',
  },
  /**
   * Read a lead.
   *
   * Returns a lead.
   *
   * @returns The lead.
   */
  'leads.get': {
    ...usual,
    id: 'leads.get',
    method: 'GET',
    path: '/api/v2/public/leads/{id}',
    params: byId,
    response: itemOf(LeadSchema),
    errors: [404],
    scope: 'read:leads',
  },
  /**
   * Update a lead.
   *
   * Sets the fields in the body and leaves the others unchanged. Repeating the request has no further effect.
   *
   * @returns The lead after the update.
   */
  'leads.update': {
    ...usual,
    id: 'leads.update',
    method: 'PATCH',
    path: '/api/v2/public/leads/{id}',
    params: byId,
    body: LeadUpdateSchema,
    response: itemOf(LeadSchema),
    scope: 'write:leads',
    // The body sets fields to fixed values, so a retry leaves the lead in the same state.
    idempotent: true,
  },
  /**
   * List AI agents.
   *
   * Returns all AI agents of the account. This list is not paged.
   *
   * @returns All agents of the account.
   */
  'agents.list': {
    ...usual,
    id: 'agents.list',
    method: 'GET',
    path: '/api/v2/public/agents',
    response: listOf(AgentSchema),
    scope: 'read:agents',
  },
  /**
   * Invoke an agent in its sandbox.
   *
   * Runs an agent in a sandbox and returns the text that it generates. No lead receives anything.
   *
   * @returns The generated text and its cost.
   */
  'agents.invoke': {
    ...usual,
    id: 'agents.invoke',
    method: 'POST',
    path: '/api/v2/public/agents/{id}/invoke',
    params: byId,
    body: AgentInvokeSchema,
    response: itemOf(AgentReplySchema),
    scope: 'write:agents',
    idempotent: false,
    // An agent needs more time to generate its reply.
    timeout: 120_000,
    totalTimeout: 300_000,
  },
  /**
   * Read the conversion funnel.
   *
   * Returns how many leads reached each step of the conversion funnel in a period.
   *
   * @returns The funnel.
   */
  'analytics.funnel': {
    ...usual,
    id: 'analytics.funnel',
    method: 'GET',
    path: '/api/v2/public/analytics/funnel',
    query: FunnelQuerySchema,
    response: itemOf(FunnelSchema),
    scope: 'read:analytics',
  },
} as const satisfies Readonly<Record<string, Operation>>;
