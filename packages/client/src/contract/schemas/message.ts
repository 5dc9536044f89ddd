import * as z from 'zod/mini';
import type { Message, MessageDirection, MessageSend, SenderType } from '../types/message.ts';
import type { ClosedEnum } from './fields.ts';
import { closedEnum, DateTimeSchema, IdSchema, openEnum, text } from './fields.ts';
import { objectOf, strictObjectOf } from './object-of.ts';

/** The schema of who wrote a message. */
export const SenderTypeSchema: ClosedEnum<SenderType> = closedEnum(['lead', 'ai', 'human']);

/** The schema of a message's direction. */
export const MessageDirectionSchema: ClosedEnum<MessageDirection> = closedEnum(['inbound', 'outbound']);

/** The schema of a message. */
export const MessageSchema = objectOf<Message>()({
  id: IdSchema,
  conversationId: IdSchema,
  senderType: openEnum(SenderTypeSchema),
  direction: openEnum(MessageDirectionSchema),
  messageType: z.string(),
  content: z.nullable(z.string()),
  createdAt: DateTimeSchema,
});

/** The schema of the body that sends a message. */
export const MessageSendSchema = strictObjectOf<MessageSend>()({ content: text({ maxLength: 4096 }) });
