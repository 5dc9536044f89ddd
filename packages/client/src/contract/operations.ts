import * as z from 'zod/mini';
import type { Operation } from './operation.ts';
import { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './schemas/agent.ts';
import { FunnelQuerySchema, FunnelSchema } from './schemas/analytics.ts';
import {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationSchema,
} from './schemas/conversation.ts';
import { itemOf, listOf, pageOf } from './schemas/envelope.ts';
import { IdSchema } from './schemas/fields.ts';
import { LeadCreateSchema, LeadListQuerySchema, LeadSchema, LeadUpdateSchema } from './schemas/lead.ts';
import { MessageSchema, MessageSendSchema } from './schemas/message.ts';
import type { OperationId } from './types/operation-types.ts';

const byId = z.strictObject({ id: IdSchema });

/** The default time limits, in milliseconds. */
const usual = { timeout: 30_000, deadline: 120_000 };
/** An agent needs more time to generate its reply. */
const slow = { timeout: 120_000, deadline: 300_000 };

/** The version of the API's machine-readable description. */
export const API_VERSION = '1.0.0';

/** Every operation of the API, by id. */
export const operations = {
  'conversations.list': {
    id: 'conversations.list',
    method: 'GET',
    path: '/api/v2/public/conversations',
    query: ConversationListQuerySchema,
    status: 200,
    response: pageOf(ConversationSchema),
    errors: [401, 403, 429],
    scope: 'read:conversations',
    idempotent: true,
    ...usual,
  },
  'conversations.get': {
    id: 'conversations.get',
    method: 'GET',
    path: '/api/v2/public/conversations/{id}',
    params: byId,
    query: ConversationGetQuerySchema,
    status: 200,
    response: itemOf(ConversationDetailSchema),
    errors: [401, 404],
    scope: 'read:conversations',
    idempotent: true,
    ...usual,
  },
  'conversations.sendMessage': {
    id: 'conversations.sendMessage',
    method: 'POST',
    path: '/api/v2/public/conversations/{id}/messages',
    params: byId,
    body: MessageSendSchema,
    status: 201,
    response: itemOf(MessageSchema),
    errors: [401, 404],
    scope: 'write:conversations',
    idempotent: false,
    ...usual,
  },
  'leads.list': {
    id: 'leads.list',
    method: 'GET',
    path: '/api/v2/public/leads',
    query: LeadListQuerySchema,
    status: 200,
    response: pageOf(LeadSchema),
    errors: [],
    scope: 'read:leads',
    idempotent: true,
    ...usual,
  },
  'leads.create': {
    id: 'leads.create',
    method: 'POST',
    path: '/api/v2/public/leads',
    body: LeadCreateSchema,
    status: 201,
    response: itemOf(LeadSchema),
    errors: [400, 409],
    scope: 'write:leads',
    idempotent: false,
    ...usual,
  },
  'leads.get': {
    id: 'leads.get',
    method: 'GET',
    path: '/api/v2/public/leads/{id}',
    params: byId,
    status: 200,
    response: itemOf(LeadSchema),
    errors: [404],
    scope: 'read:leads',
    idempotent: true,
    ...usual,
  },
  'leads.update': {
    id: 'leads.update',
    method: 'PATCH',
    path: '/api/v2/public/leads/{id}',
    params: byId,
    body: LeadUpdateSchema,
    status: 200,
    response: itemOf(LeadSchema),
    errors: [],
    scope: 'write:leads',
    // It sets fields to fixed values, so a repeat leaves the lead in the same state.
    idempotent: true,
    ...usual,
  },
  'agents.list': {
    id: 'agents.list',
    method: 'GET',
    path: '/api/v2/public/agents',
    status: 200,
    response: listOf(AgentSchema),
    errors: [],
    scope: 'read:agents',
    idempotent: true,
    ...usual,
  },
  'agents.invoke': {
    id: 'agents.invoke',
    method: 'POST',
    path: '/api/v2/public/agents/{id}/invoke',
    params: byId,
    body: AgentInvokeSchema,
    status: 200,
    response: itemOf(AgentReplySchema),
    errors: [],
    scope: 'write:agents',
    idempotent: false,
    ...slow,
  },
  'analytics.funnel': {
    id: 'analytics.funnel',
    method: 'GET',
    path: '/api/v2/public/analytics/funnel',
    query: FunnelQuerySchema,
    status: 200,
    response: itemOf(FunnelSchema),
    errors: [],
    scope: 'read:analytics',
    idempotent: true,
    ...usual,
  },
} as const satisfies { readonly [Id in OperationId]: Operation & { readonly id: Id } };

/** A scope that an operation needs, according to the contract. */
export type Scope = (typeof operations)[OperationId]['scope'];
