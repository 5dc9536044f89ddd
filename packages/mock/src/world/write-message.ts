import type { Conversation, Message } from '@confab/client/contract';
import type { World } from './world.ts';

/** Adds a message to a conversation, and emits `message.created`. */
export const writeMessage = (
  { store, outbox }: Pick<World, 'store' | 'outbox'>,
  conversation: Conversation,
  values: { senderType: Message['senderType']; direction: Message['direction']; content: string },
): Message => {
  const message = store.messages.create({ conversationId: conversation.id, ...values });
  outbox.emit('message.created', {
    conversationId: conversation.id,
    channel: conversation.channel,
    body: values.content,
  });
  return message;
};
