import * as z from 'zod/mini';
import { objectOf } from '../contract/schemas/object-of.ts';
import type { MessageCreated, MessageCreatedEvent } from './event-types.ts';

/** The schema of the data of a `message.created` event. */
export const MessageCreatedSchema = objectOf<MessageCreated>()({
  conversationId: z.string(),
  channel: z.string(),
  body: z.string(),
});

/** The schema of the body of a delivery that reports a new message. */
export const MessageCreatedEventSchema = objectOf<MessageCreatedEvent>()({
  event: z.literal('message.created'),
  data: MessageCreatedSchema,
});
