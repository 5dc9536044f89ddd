import * as z from 'zod/mini';
import { DateTimeSchema, IdSchema, openEnum, text } from './fields.ts';

export const SenderTypeSchema = z.enum(['lead', 'ai', 'human']);
export type SenderType = z.infer<typeof SenderTypeSchema>;

export const MessageDirectionSchema = z.enum(['inbound', 'outbound']);
export type MessageDirection = z.infer<typeof MessageDirectionSchema>;

/** One message of a conversation. */
export const MessageSchema = z.object({
  id: IdSchema,
  conversationId: IdSchema,
  senderType: openEnum(SenderTypeSchema),
  direction: openEnum(MessageDirectionSchema),
  messageType: z.string(),
  content: z.nullable(z.string()),
  createdAt: DateTimeSchema,
});
export type Message = z.infer<typeof MessageSchema>;

/** The body that sends a message. */
export const MessageSendSchema = z.strictObject({ content: text({ maxLength: 4096 }) });
export type MessageSend = z.infer<typeof MessageSendSchema>;
