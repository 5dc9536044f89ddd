import type { Conversation } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { orNotFound } from '../errors/refusal.ts';
import { writeMessage } from '../world/inbound.ts';
import type { World } from '../world/world.ts';
import type { Handlers } from './operation.ts';
import { defaultOf, listPage } from './operation.ts';

const MESSAGES_LIMIT = defaultOf(operations['conversations.get'].query.shape.messagesLimit);

const find = ({ store }: World, id: string): Conversation =>
  orNotFound(store.conversations.get(id), `No conversation has the id ${id}`);

export const conversations: Handlers<'conversations'> = {
  'conversations.list': ({ store, behavior }, { query }) =>
    listPage(store.conversations, query, { order: behavior.order['conversations.list'] }),

  'conversations.get': (world, { params, query: { messagesLimit = MESSAGES_LIMIT } }) => {
    const conversation = find(world, params.id);
    const { select, order } = world.behavior.messages;
    const where = { conversationId: conversation.id };
    const offset = select === 'latest' ? 0 : world.store.messages.count(where) - messagesLimit;
    const { rows: newestFirst } = world.store.messages.table.page(where, {
      limit: messagesLimit,
      offset: Math.max(0, offset),
    });
    const messages = order === 'asc' ? newestFirst.toReversed() : [...newestFirst];
    return { data: { ...conversation, messages } };
  },

  'conversations.sendMessage': (world, { params, body }) => ({
    data: writeMessage(world, find(world, params.id), {
      senderType: 'human',
      direction: 'outbound',
      content: body.content,
    }),
  }),
};
