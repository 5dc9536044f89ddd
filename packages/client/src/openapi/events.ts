import * as z from 'zod/mini';

// Events are described here and not in the contract: the client never meets one, and the package that receives them
// has no schema library.

/** The data of a `message.created` event. */
export const MessageCreatedSchema = z.object({
  conversationId: z.string(),
  channel: z.string(),
  body: z.string(),
});

/** The body of a delivery that reports a new message. */
export const MessageCreatedEventSchema = z.object({
  event: z.literal('message.created'),
  data: MessageCreatedSchema,
});
