import type { Conversation } from '@confab/client/contract';
import {
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';
import { StoredDateTimeSchema, StoredIdSchema } from './fields.ts';
import { leads } from './leads.ts';
import { pipelines } from './pipelines.ts';
import type { Resource } from './resource.ts';

export const conversations: Resource<Conversation> = {
  name: 'conversations',
  noun: 'conversation',
  schema: z.strictObject({
    ...ConversationSchema.shape,
    id: StoredIdSchema,
    pipelineId: StoredIdSchema,
    leadId: z.nullable(StoredIdSchema),
    lastMessageAt: z.nullable(StoredDateTimeSchema),
    createdAt: StoredDateTimeSchema,
  }),
  openEnums: { status: ConversationStatusSchema, priority: ConversationPrioritySchema },
  newestBy: 'createdAt',
  filters: ['status', 'pipelineId', 'leadId'],
  references: {
    pipelineId: { to: pipelines, onDelete: 'reset' },
    leadId: { to: leads, onDelete: 'reset' },
  },
  columns: ['id', 'channel', 'lastMessageAt', 'priority', 'status'],
  defaults: (values, context) => ({
    pipelineId: values.pipelineId ?? context.firstIdOf(pipelines),
    leadId: null,
    channel: 'live_chat',
    status: 'open',
    priority: 'medium',
    lastMessageAt: null,
    createdAt: context.now(),
  }),
};
