import * as z from 'zod/mini';
import type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  ConversationPriority,
  ConversationStatus,
} from '../types/conversation.ts';
import type { ClosedEnum } from './fields.ts';
import { closedEnum, DateTimeSchema, IdSchema, integer, openEnum, paging } from './fields.ts';
import { MessageSchema } from './message.ts';
import { objectOf, strictObjectOf } from './object-of.ts';

/** The schema of a conversation's status. */
export const ConversationStatusSchema: ClosedEnum<ConversationStatus> = closedEnum([
  'open',
  'snoozed',
  'resolved',
]);

/** The schema of a conversation's priority. */
export const ConversationPrioritySchema: ClosedEnum<ConversationPriority> = closedEnum([
  'low',
  'medium',
  'high',
  'urgent',
]);

const conversation = {
  id: IdSchema,
  pipelineId: IdSchema,
  leadId: z.nullable(IdSchema),
  channel: z.string(),
  status: openEnum(ConversationStatusSchema),
  priority: openEnum(ConversationPrioritySchema),
  lastMessageAt: z.nullable(DateTimeSchema),
  createdAt: DateTimeSchema,
};

/** The schema of a conversation, as lists show it. */
export const ConversationSchema = objectOf<Conversation>()(conversation);

/** The schema of a conversation with its messages. */
export const ConversationDetailSchema = objectOf<ConversationDetail>()({
  ...conversation,
  messages: z.array(MessageSchema),
});

/** The schema of the query that lists conversations. */
export const ConversationListQuerySchema = strictObjectOf<ConversationListQuery>()({
  ...paging,
  status: z.optional(ConversationStatusSchema),
  pipelineId: z.optional(IdSchema),
});

/** The schema of the query that reads a conversation. */
export const ConversationGetQuerySchema = strictObjectOf<ConversationGetQuery>()({
  messagesLimit: z.optional(integer({ minimum: 1, maximum: 100, default: 50 })),
});
