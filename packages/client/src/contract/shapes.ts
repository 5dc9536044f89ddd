// Generated from the contract's schemas by `pnpm --filter @confab/client run openapi`.
import type { OperationShapes, Shape } from './shape.ts';
import type { OperationId } from './types/operation-types.ts';

const limit: Shape = { type: 'integer', minimum: 1, maximum: 100 };
const offset: Shape = { type: 'integer', minimum: 0 };
const uuid: Shape = { type: 'string', format: 'uuid' };
const success: Shape = { type: 'boolean', const: true };
const uuidOrNull: Shape = { type: 'string', format: 'uuid', nullable: true };
const string: Shape = { type: 'string' };
const dateTimeOrNull: Shape = { type: 'string', format: 'date-time', nullable: true };
const dateTime: Shape = { type: 'string', format: 'date-time' };
export const paginationMeta: Shape = {
  type: 'object',
  properties: { total: offset, limit: offset, offset: offset },
};
const params: Shape = { type: 'object', properties: { id: uuid }, closed: true };
const stringOrNull: Shape = { type: 'string', nullable: true };
const message: Shape = {
  type: 'object',
  properties: {
    id: uuid,
    conversationId: uuid,
    senderType: string,
    direction: string,
    messageType: string,
    content: stringOrNull,
    createdAt: dateTime,
  },
};
const lead: Shape = {
  type: 'object',
  properties: {
    id: uuid,
    pipelineId: uuid,
    phone: stringOrNull,
    displayName: stringOrNull,
    email: stringOrNull,
    source: string,
    status: string,
    createdAt: dateTime,
  },
};
const response: Shape = { type: 'object', properties: { success: success, data: lead } };
const integer: Shape = { type: 'integer' };

/** The shapes of what each operation sends and receives. */
export const shapes: { readonly [Id in OperationId]: OperationShapes } = {
  'conversations.list': {
    query: {
      type: 'object',
      properties: {
        limit: limit,
        offset: offset,
        status: { type: 'string', enum: ['open', 'snoozed', 'resolved'] },
        pipelineId: uuid,
      },
      optional: ['limit', 'offset', 'status', 'pipelineId'],
      closed: true,
    },
    response: {
      type: 'object',
      properties: {
        success: success,
        data: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: uuid,
              pipelineId: uuid,
              leadId: uuidOrNull,
              channel: string,
              status: string,
              priority: string,
              lastMessageAt: dateTimeOrNull,
              createdAt: dateTime,
            },
          },
        },
        meta: paginationMeta,
      },
    },
  },
  'conversations.get': {
    params: params,
    query: {
      type: 'object',
      properties: { messagesLimit: limit },
      optional: ['messagesLimit'],
      closed: true,
    },
    response: {
      type: 'object',
      properties: {
        success: success,
        data: {
          type: 'object',
          properties: {
            id: uuid,
            pipelineId: uuid,
            leadId: uuidOrNull,
            channel: string,
            status: string,
            priority: string,
            lastMessageAt: dateTimeOrNull,
            createdAt: dateTime,
            messages: { type: 'array', items: message },
          },
        },
      },
    },
  },
  'conversations.sendMessage': {
    params: params,
    body: { type: 'object', properties: { content: { type: 'string', maxLength: 4096 } }, closed: true },
    response: { type: 'object', properties: { success: success, data: message } },
  },
  'leads.list': {
    query: {
      type: 'object',
      properties: {
        limit: limit,
        offset: offset,
        status: string,
        source: string,
        pipelineId: uuid,
        search: string,
      },
      optional: ['limit', 'offset', 'status', 'source', 'pipelineId', 'search'],
      closed: true,
    },
    response: {
      type: 'object',
      properties: { success: success, data: { type: 'array', items: lead }, meta: paginationMeta },
    },
  },
  'leads.create': {
    body: {
      type: 'object',
      properties: {
        phone: string,
        displayName: stringOrNull,
        email: stringOrNull,
        source: string,
        pipelineId: uuid,
        notes: stringOrNull,
      },
      optional: ['displayName', 'email', 'source', 'pipelineId', 'notes'],
      closed: true,
    },
    response: response,
  },
  'leads.get': { params: params, response: response },
  'leads.update': {
    params: params,
    body: {
      type: 'object',
      properties: {
        displayName: stringOrNull,
        email: stringOrNull,
        notes: stringOrNull,
        status: { type: 'string', enum: ['new', 'active', 'qualified', 'converted', 'lost'] },
      },
      optional: ['displayName', 'email', 'notes', 'status'],
      closed: true,
    },
    response: response,
  },
  'agents.list': {
    response: {
      type: 'object',
      properties: {
        success: success,
        data: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: uuid,
              name: string,
              description: stringOrNull,
              llmProvider: string,
              llmModel: stringOrNull,
              updatedAt: dateTime,
            },
          },
        },
        meta: paginationMeta,
      },
      optional: ['meta'],
    },
  },
  'agents.invoke': {
    params: params,
    body: {
      type: 'object',
      properties: { userMessage: { type: 'string', minLength: 1, maxLength: 4000 } },
      closed: true,
    },
    response: {
      type: 'object',
      properties: {
        success: success,
        data: {
          type: 'object',
          properties: { text: string, tokensIn: integer, tokensOut: integer, latencyMs: integer },
        },
      },
    },
  },
  'analytics.funnel': {
    query: {
      type: 'object',
      properties: { from: dateTime, to: dateTime },
      optional: ['from', 'to'],
      closed: true,
    },
    response: {
      type: 'object',
      properties: {
        success: success,
        data: {
          type: 'object',
          properties: {
            newLeads: integer,
            activeLeads: integer,
            qualified: integer,
            converted: integer,
            conversionRate: { type: 'number' },
            range: { type: 'object', properties: { from: dateTime, to: dateTime } },
          },
        },
      },
    },
  },
};
