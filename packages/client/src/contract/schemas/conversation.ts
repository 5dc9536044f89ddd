import * as z from 'zod/mini';
import { closedEnum, DateTimeSchema, IdSchema, integer, openEnum, paging } from './fields.ts';
import { MessageSchema } from './message.ts';

/** Whether a conversation needs somebody. */
export const ConversationStatusSchema = closedEnum(['open', 'snoozed', 'resolved']);
/** Whether a conversation needs somebody. */
export type ConversationStatus = z.infer<typeof ConversationStatusSchema>;

/** How much a conversation matters. */
export const ConversationPrioritySchema = closedEnum(['low', 'medium', 'high', 'urgent']);
/** How much a conversation matters. */
export type ConversationPriority = z.infer<typeof ConversationPrioritySchema>;

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

/** A conversation, as lists show it. */
export const ConversationSchema = z.object(conversation);
/** A conversation, as lists show it. */
export type Conversation = z.infer<typeof ConversationSchema>;

/** A conversation with its messages. */
export const ConversationDetailSchema = z.object({ ...conversation, messages: z.array(MessageSchema) });
/** A conversation with its messages. */
export type ConversationDetail = z.infer<typeof ConversationDetailSchema>;

/** What a list of conversations can be narrowed by. */
export const ConversationListQuerySchema = z.strictObject({
  ...paging,
  status: z.optional(ConversationStatusSchema),
  pipelineId: z.optional(IdSchema),
});
/** What a list of conversations can be narrowed by. */
export type ConversationListQuery = z.infer<typeof ConversationListQuerySchema>;

/** How many messages come with a conversation. */
export const ConversationGetQuerySchema = z.strictObject({
  messagesLimit: z.optional(integer({ minimum: 1, maximum: 100, default: 50 })),
});
/** How many messages come with a conversation. */
export type ConversationGetQuery = z.infer<typeof ConversationGetQuerySchema>;
