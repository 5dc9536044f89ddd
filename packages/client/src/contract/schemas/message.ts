import * as z from 'zod/mini';
import { closedEnum, DateTimeSchema, IdSchema, openEnum, text } from './fields.ts';

/** Who wrote a message. */
export const SenderTypeSchema = closedEnum(['lead', 'ai', 'human']);
/** Who wrote a message. */
export type SenderType = z.infer<typeof SenderTypeSchema>;

/** Whether a message came from the lead or went to it. */
export const MessageDirectionSchema = closedEnum(['inbound', 'outbound']);
/** Whether a message came from the lead or went to it. */
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
/** One message of a conversation. */
export type Message = z.infer<typeof MessageSchema>;

/** The body that sends a message. */
export const MessageSendSchema = z.strictObject({ content: text({ maxLength: 4096 }) });
/** The body that sends a message. */
export type MessageSend = z.infer<typeof MessageSendSchema>;
