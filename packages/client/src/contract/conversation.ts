import * as z from 'zod/mini';
import { DateTimeSchema, IdSchema, integer, openEnum, paging } from './fields.ts';
import { MessageSchema } from './message.ts';

/** The schema of a conversation's status. */
export const ConversationStatusSchema = z.enum(['open', 'snoozed', 'resolved']);

/** The schema of a conversation's priority. */
export const ConversationPrioritySchema = z.enum(['low', 'medium', 'high', 'urgent']);

/** The schema of a conversation, as lists show it. */
export const ConversationSchema = z.object({
  /** The id of the conversation, a UUID. */
  id: IdSchema,
  /** The id of the pipeline that the conversation belongs to, a UUID. */
  pipelineId: IdSchema,
  /** The id of the lead that takes part in the conversation, a UUID; `null` if there is no lead. */
  leadId: z.nullable(IdSchema),
  /** The channel that the conversation uses, such as a messaging app or live chat. */
  channel: z.string(),
  /** Whether the conversation needs attention. New values may be added. */
  status: openEnum(ConversationStatusSchema),
  /** How urgent the conversation is. New values may be added. */
  priority: openEnum(ConversationPrioritySchema),
  /** When the latest message was written, as an RFC 3339 date-time; `null` if there are no messages. */
  lastMessageAt: z.nullable(DateTimeSchema),
  /** When the conversation began, as an RFC 3339 date-time. */
  createdAt: DateTimeSchema,
});

/** The schema of a conversation with its messages. */
export const ConversationDetailSchema = z.object({
  ...ConversationSchema.shape,
  /** The messages of the conversation, `messagesLimit` at most. */
  messages: z.array(MessageSchema),
});

/** The schema of the query that lists conversations. */
export const ConversationListQuerySchema = z.strictObject({
  ...paging,
  /** Only conversations with this status. */
  status: z.optional(ConversationStatusSchema),
  /** Only rows of the pipeline with this id, a UUID. */
  pipelineId: z.optional(IdSchema),
});

/** The schema of the query that reads a conversation. */
export const ConversationGetQuerySchema = z.strictObject({
  /**
   * The maximum number of messages to return, from 1 to 100.
   * @default 50
   */
  messagesLimit: z.optional(integer({ minimum: 1, maximum: 100, default: 50 })),
});
