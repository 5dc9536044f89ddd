import { operations } from '@confab/client/contract';
import { writeMessage } from '../world/write-message.ts';
import type { Handlers } from './operation.ts';
import { listPage, readDefault } from './operation.ts';

const MESSAGES_LIMIT = readDefault(operations['conversations.get'].query.shape.messagesLimit);

export const conversations: Handlers<'conversations'> = {
  'conversations.list': ({ store, behavior }, { query }) =>
    listPage(store.conversations, query, { order: behavior.order['conversations.list'] }),

  'conversations.get': ({ store, behavior }, { row, query: { messagesLimit = MESSAGES_LIMIT } }) => {
    const { select, order } = behavior.messages;
    const where = { conversationId: row.id };
    const offset = select === 'latest' ? 0 : store.messages.count(where) - messagesLimit;
    const { rows: newestFirst } = store.messages.table.page(where, {
      limit: messagesLimit,
      offset: Math.max(0, offset),
    });
    const messages = order === 'asc' ? newestFirst.toReversed() : [...newestFirst];
    return { data: { ...row, messages } };
  },

  'conversations.sendMessage': (world, { row, body }) => ({
    data: writeMessage(world, row, {
      senderType: 'human',
      direction: 'outbound',
      content: body.content,
    }),
  }),
};
