import * as z from 'zod/mini';
import { DateTimeSchema, IdSchema, openEnum, text } from './fields.ts';

/** The schema of who wrote a message. */
export const SenderTypeSchema = z.enum(['lead', 'ai', 'human']);

/** The schema of a message's direction. */
export const MessageDirectionSchema = z.enum(['inbound', 'outbound']);

/** The schema of a message. */
export const MessageSchema = z.object({
  /** The id of the message, a UUID. */
  id: IdSchema,
  /** The id of the conversation that the message belongs to, a UUID. */
  conversationId: IdSchema,
  /** Who wrote the message. New values may be added. */
  senderType: openEnum(SenderTypeSchema),
  /** Whether the lead sent the message or received it. New values may be added. */
  direction: openEnum(MessageDirectionSchema),
  /** The kind of message. The API does not publish the kinds. */
  messageType: z.string(),
  /** The text of the message; `null` for a message without text. */
  content: z.nullable(z.string()),
  /** When the message was written, as an RFC 3339 date-time. */
  createdAt: DateTimeSchema,
});

/** The schema of the body that sends a message. */
export const MessageSendSchema = z.strictObject({
  /** The text to send, of at most 4,096 characters (Unicode code points). */
  content: text({ maxLength: 4096 }),
});
