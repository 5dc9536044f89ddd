import type { ApiPromise } from '../call/api-promise.ts';
import type { CallById } from '../call/call.ts';
import type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  Message,
  MessageSend,
} from '../contract/types.ts';
import type { ListById, ListOptions, Paginated } from '../lists/paginated.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { MessagesPass, MessagesSinceOptions } from './messages-since.ts';

/** Conversations and their messages. */
export interface Conversations {
  /**
   * Lists conversations. The list is paged. Iteration with an `offset` reads the list as if it began there.
   *
   * @throws A {@link ConfabError} when the query is invalid or a page cannot be read.
   * @example
   * ```ts
   * for await (const conversation of confab.conversations.list({ status: 'open' })) show(conversation);
   * ```
   */
  list(query?: ConversationListQuery, options?: ListOptions): Paginated<Conversation>;
  /**
   * Reads a conversation with its messages.
   *
   * @throws A {@link NotFoundError} when no conversation has this id.
   * @example
   * ```ts
   * const { messages } = await confab.conversations.get(id, { messagesLimit: 100 });
   * ```
   */
  get(id: string, query?: ConversationGetQuery, options?: CallOptions): ApiPromise<ConversationDetail>;
  /**
   * Sends a message of up to 4,096 characters (Unicode code points) to a conversation. The call is not idempotent: after
   * an unknown outcome it is not retried unless `retry.nonIdempotent` is set.
   *
   * @throws A {@link NotFoundError} when no conversation has this id.
   * @throws A {@link ConfabError} when the call fails. If its `mayHaveActed` is true, the message may have been sent:
   * read the conversation before you send it again.
   * @example
   * ```ts
   * await confab.conversations.sendMessage(id, { content: 'We will call you back.' });
   * ```
   */
  sendMessage(id: string, body: MessageSend, options?: CallOptions): ApiPromise<Message>;
  /**
   * Reads the messages that were written since a time, conversation by conversation, to keep a copy of them. Nothing is
   * sent until you iterate over the result.
   *
   * Each message with a `createdAt` at or after `since` that exists when the pass begins is yielded once, in whatever
   * order the service lists conversations, and whatever changes during the pass. `isComplete` is false for a
   * conversation with more such messages than the API returns. Messages that are written during the pass are yielded by
   * this pass or by the next one, which begins at `checkpoint`. That pass also yields the messages of the last two
   * minutes again, so recognize messages by their `id`.
   *
   * The API has no filter by time, so a pass reads the whole list, and each conversation with new messages. If
   * conversations move in the list meanwhile, the pass reads the list again, up to four times. If they never stop
   * moving, `checkpoint` stays at `since`, and the next pass starts from there. A pass has no total timeout: it waits
   * as long as `Retry-After` says, for up to a day. {@link MessagesPass} says what happens if a conversation cannot be
   * read.
   *
   * @param since A `Date`, a date-time such as `2026-01-31T12:00:00Z`, or milliseconds since 1970; 0 for all messages.
   * @throws A {@link ConfigurationError} when `since` is not a valid time, or an option is unknown or invalid.
   * @example
   * ```ts
   * const pass = confab.conversations.messagesSince('2026-01-31T12:00:00Z');
   * for await (const { conversation, messages } of pass) console.log(conversation.id, messages.length);
   * console.log(`The next pass begins at ${pass.checkpoint}.`);
   * ```
   */
  messagesSince(since: Date | string | number, options?: MessagesSinceOptions): MessagesPass;
}

/** @internal */
export const createConversations = (
  callById: CallById,
  list: ListById,
  messagesSince: Conversations['messagesSince'],
): Conversations => ({
  list: (query, options) => list('conversations.list', query, options),
  get: (id, query, options) => callById('conversations.get', { params: { id }, query }, options),
  sendMessage: (id, body, options) =>
    callById('conversations.sendMessage', { params: { id }, body }, options),
  messagesSince,
});
