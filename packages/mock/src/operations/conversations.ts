import type { Conversation, ConversationDetail } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { notFound } from '../errors/refusal.ts';
import { writeMessage } from '../world/inbound.ts';
import type { World } from '../world/world.ts';
import type { Handlers } from './operation.ts';
import { defaultOf } from './operation.ts';

const { shape } = operations['conversations.list'].query;
const LIMIT = defaultOf(shape.limit);
const OFFSET = defaultOf(shape.offset);
const MESSAGES_LIMIT = defaultOf(operations['conversations.get'].query.shape.messagesLimit);

const find = (world: World, id: string): Conversation => {
  const conversation = world.store.conversations.get(id);
  if (conversation === undefined) {
    throw notFound(`No conversation has the id ${id}`);
  }
  return conversation;
};

export const conversations: Handlers<'conversations'> = {
  'conversations.list': ({ store, behavior }, { query: { limit = LIMIT, offset = OFFSET, ...where } }) => {
    const { rows, total } = store.conversations.page(
      { ...where, pipelineId: where.pipelineId?.toLowerCase() },
      { limit, offset, order: behavior.order['conversations.list'] },
    );
    return { data: [...rows], meta: { total, limit, offset } };
  },

  'conversations.get': (world, { params, query: { messagesLimit = MESSAGES_LIMIT } }) => {
    const conversation = find(world, params.id);
    const { select, order } = world.behavior.messages;
    const where = { conversationId: conversation.id };
    const total = world.store.messages.count(where);
    const { rows: newestFirst } = world.store.messages.page(where, {
      limit: messagesLimit,
      offset: select === 'latest' ? 0 : Math.max(0, total - messagesLimit),
    });
    const messages = order === 'asc' ? newestFirst.toReversed() : [...newestFirst];
    const detail: ConversationDetail = { ...conversation, messages };
    return { data: detail };
  },

  'conversations.sendMessage': (world, { params, body }) => ({
    data: writeMessage(world, find(world, params.id), {
      senderType: 'human',
      direction: 'outbound',
      content: body.content,
    }),
  }),
};
