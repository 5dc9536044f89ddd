import type { ApiPromise, CallById } from '../call/api-promise.ts';
import type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  Message,
  MessageSend,
} from '../contract/types.ts';
import type { ListById, ListOptions } from '../lists/list-by-id.ts';
import type { Paginated } from '../lists/paginated.ts';
import type { CallOptions } from '../options/client-options.ts';

/** Conversations and their messages. */
export interface Conversations {
  /**
   * Lists conversations. The list is paged. Iteration with an `offset` reads the list as if it began there.
   *
   * @example
   * ```ts
   * for await (const conversation of confab.conversations.list({ status: 'open' })) show(conversation);
   * ```
   */
  list(query?: ConversationListQuery, options?: ListOptions): Paginated<Conversation>;
  /**
   * Reads a conversation with its messages.
   *
   * @throws {@link NotFoundError} When no conversation has this id.
   * @example
   * ```ts
   * const { messages } = await confab.conversations.get(id, { messagesLimit: 100 });
   * ```
   */
  get(id: string, query?: ConversationGetQuery, options?: CallOptions): ApiPromise<ConversationDetail>;
  /**
   * Sends a message of up to 4096 characters (Unicode code points) to a conversation. The call is not idempotent: after
   * an unknown outcome it is not repeated unless `retry.nonIdempotent` is set.
   *
   * @throws {@link NotFoundError} When no conversation has this id.
   * @example
   * ```ts
   * await confab.conversations.sendMessage(id, { content: 'We will call you back.' });
   * ```
   */
  sendMessage(id: string, body: MessageSend, options?: CallOptions): ApiPromise<Message>;
}

export const createConversations = (call: CallById, list: ListById): Conversations => ({
  list: (query, options) => list('conversations.list', query, options),
  get: (id, query, options) => call('conversations.get', { params: { id }, query }, options),
  sendMessage: (id, body, options) => call('conversations.sendMessage', { params: { id }, body }, options),
});
