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
import { operationSettings } from './settings.ts';
import type { OperationId } from './types/operation-types.ts';

const byId = z.strictObject({ id: IdSchema });

/** The version of the API's machine-readable description. */
export const API_VERSION = '1.0.0';

/** Every operation of the API, by id. */
export const operations = {
  'conversations.list': {
    ...operationSettings['conversations.list'],
    status: 200,
    errors: [401, 403, 429],
    scope: 'read:conversations',
    query: ConversationListQuerySchema,
    response: pageOf(ConversationSchema),
  },
  'conversations.get': {
    ...operationSettings['conversations.get'],
    status: 200,
    errors: [401, 404],
    scope: 'read:conversations',
    params: byId,
    query: ConversationGetQuerySchema,
    response: itemOf(ConversationDetailSchema),
  },
  'conversations.sendMessage': {
    ...operationSettings['conversations.sendMessage'],
    status: 201,
    errors: [401, 404],
    scope: 'write:conversations',
    params: byId,
    body: MessageSendSchema,
    response: itemOf(MessageSchema),
  },
  'leads.list': {
    ...operationSettings['leads.list'],
    status: 200,
    errors: [],
    scope: 'read:leads',
    query: LeadListQuerySchema,
    response: pageOf(LeadSchema),
  },
  'leads.create': {
    ...operationSettings['leads.create'],
    status: 201,
    errors: [400, 409],
    scope: 'write:leads',
    body: LeadCreateSchema,
    response: itemOf(LeadSchema),
  },
  'leads.get': {
    ...operationSettings['leads.get'],
    status: 200,
    errors: [404],
    scope: 'read:leads',
    params: byId,
    response: itemOf(LeadSchema),
  },
  'leads.update': {
    ...operationSettings['leads.update'],
    status: 200,
    errors: [],
    scope: 'write:leads',
    params: byId,
    body: LeadUpdateSchema,
    response: itemOf(LeadSchema),
  },
  'agents.list': {
    ...operationSettings['agents.list'],
    status: 200,
    errors: [],
    scope: 'read:agents',
    response: listOf(AgentSchema),
  },
  'agents.invoke': {
    ...operationSettings['agents.invoke'],
    status: 200,
    errors: [],
    scope: 'write:agents',
    params: byId,
    body: AgentInvokeSchema,
    response: itemOf(AgentReplySchema),
  },
  'analytics.funnel': {
    ...operationSettings['analytics.funnel'],
    status: 200,
    errors: [],
    scope: 'read:analytics',
    query: FunnelQuerySchema,
    response: itemOf(FunnelSchema),
  },
} as const satisfies { readonly [Id in OperationId]: Operation & { readonly id: Id } };

/** A scope that an operation needs, according to the contract. */
export type Scope = (typeof operations)[OperationId]['scope'];
