import * as z from 'zod/mini';

const text = () => z.string('must be a string');

/** The data of a `message.created` event. Fields that the service adds one day are kept. */
export const MessageCreatedSchema = z.looseObject({
  conversationId: text(),
  channel: text(),
  /** The text of the message. */
  body: text(),
});
export type MessageCreated = z.infer<typeof MessageCreatedSchema>;
