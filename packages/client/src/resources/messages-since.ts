import type { Checks } from '@confab/internal';
import { anyValue, integerFrom, isDate, oneLine } from '@confab/internal';
import type { Caller } from '../call/call.ts';
import { checkEnvelope } from '../call/check-response.ts';
import type { ApiResponse } from '../call/types.ts';
import { DateTimeSchema } from '../contract/fields.ts';
import { preview } from '../contract/issues.ts';
import { operations } from '../contract/operations.ts';
import type { Conversation, ConversationListQuery, Message } from '../contract/types.ts';
import { ConfigurationError, NotFoundError, RateLimitError } from '../errors/index.ts';
import { createListIterator } from '../lists/list-iterator.ts';
import { checkRows } from '../lists/page.ts';
import { CALL_OPTIONS, checkOptions } from '../options/option-checks.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import type { Redact } from '../secrecy/redact.ts';
import { bulkInput, bulkOptions, endsBulkWork } from './bulk.ts';
import { findConversations } from './find-conversations.ts';
import { mapInOrder } from './map-in-order.ts';

/** The messages of one conversation that a pass of `conversations.messagesSince` found. */
export interface NewMessages {
  /** The conversation, as it was when its messages were read. */
  readonly conversation: Conversation;
  /** Its messages at or after `since`, oldest first. */
  readonly messages: readonly Message[];
  /**
   * Whether the API returned all messages since `since`. It returns 100 at most, and no operation returns the others.
   * `messages` may even be empty, if the service returns the earliest ones.
   */
  readonly isComplete: boolean;
}

/** Options of `conversations.messagesSince`. */
export interface MessagesSinceOptions extends Pick<ConversationListQuery, 'status' | 'pipelineId'> {
  /**
   * The maximum number of conversations, or of pages of their list, to read at once. The client's own `concurrency` and
   * rate limit also apply.
   *
   * @default 4
   */
  concurrency?: number | undefined;
  /** Aborts the pass, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * A pass over all conversations. It starts when you iterate over it, which you can do once.
 *
 * If a conversation cannot be read, the pass goes on, and throws the first such error at the end; its message contains
 * the id of the conversation. The pass ends at once after 20 such errors, or if every other read would fail too, as
 * after a 401.
 */
export interface MessagesPass extends AsyncIterable<NewMessages> {
  /**
   * The time at which the next pass begins, as an ISO date-time. Undefined until this pass has ended, and forever if
   * the pass was left early or has thrown. Save it only once you have stored what the pass yielded.
   *
   * If conversations kept moving in the list, the checkpoint is the `since` of this pass. That happens in every pass if
   * the service reports no `total`, or caps it below the number of conversations: no message is lost, but every pass
   * reads all messages since that time again.
   */
  readonly checkpoint: string | undefined;
}

const OPTIONS: Checks<MessagesSinceOptions> = {
  // The list checks these.
  status: anyValue,
  pipelineId: anyValue,
  concurrency: integerFrom(1),
  signal: CALL_OPTIONS.signal,
};

/** Milliseconds by which two times of one service may differ: some are rounded down to seconds. */
const TOLERANCE = 1_000;
/** The number of messages to ask for: the maximum that the API allows. */
const MESSAGES_LIMIT = 100;
/** After this many unreadable conversations, the service, rather than the conversations, is probably at fault. */
const MAX_FAILURES = 20;
/** Maximum number of characters of an id in an error: the length of a UUID. */
const ID_LENGTH = 36;

/** A positive number of milliseconds below this is a time before March 1973, so the number is probably in seconds. */
const FEWEST_MILLISECONDS = 1e11;

/** @throws A {@link ConfigurationError} when the value is not a valid time. */
const toTime = (since: unknown, redact: Redact): number => {
  const time = new Date(
    typeof since === 'number' || isDate(since) || DateTimeSchema.safeParse(since).success
      ? (since as Date | number | string)
      : Number.NaN,
  ).getTime();
  const isSeconds = typeof since === 'number' && since > 0 && since < FEWEST_MILLISECONDS;
  if (isSeconds || Number.isNaN(time)) {
    // Shortened after the key is removed, because part of a key would not be recognized.
    const shown = preview(typeof since === 'string' ? redact(since) : since);
    throw new ConfigurationError(
      `\`since\` of conversations.messagesSince must be a Date, a date-time such as "2026-01-31T12:00:00Z", or milliseconds since 1970, got ${isDate(since) ? 'an invalid Date' : shown}${isSeconds ? ': is it in seconds?' : '.'}`,
    );
  }
  return time;
};

/** Returns true if a time is at or after another, or cannot be parsed. */
const mayBeFrom = (time: string | null | undefined, from: number): boolean =>
  time !== null && !(Date.parse(String(time)) < from);

/** Reads the messages since a time; undefined if there are none. */
const readNewMessages = (
  response: ApiResponse,
  from: number,
  reporter: ClientSettings['reporter'],
): NewMessages | undefined => {
  const { messages: sent, ...conversation } = checkEnvelope<'conversations.get'>(response, reporter).data;
  const all = checkRows<Message>('data.messages', sent, response);
  const timeOf = ({ createdAt }: Message) => Date.parse(createdAt);
  const messages = all
    .filter(({ createdAt }) => mayBeFrom(createdAt, from))
    .sort((a, b) => timeOf(a) - timeOf(b));
  const latest = Math.max(...all.map(timeOf));
  const reachesBoth =
    messages.length < all.length &&
    // The latest message is missing: the service returned the earliest ones.
    !(Date.parse(conversation.lastMessageAt ?? '') > latest + TOLERANCE);
  const isComplete = all.length < MESSAGES_LIMIT || reachesBoth;
  return messages.length > 0 || !isComplete ? { conversation, messages, isComplete } : undefined;
};

/** @internal */
export const createMessagesSince =
  (settings: ClientSettings, caller: Caller) =>
  (since: Date | string | number, options: MessagesSinceOptions = {}): MessagesPass => {
    const { key, reporter, callDefaults } = settings;
    checkOptions('conversations.messagesSince option', options, OPTIONS, key.redact);
    const { status, pipelineId, concurrency = 4, signal } = options;
    const from = toTime(since, key.redact);
    let checkpoint: string | undefined;

    const run = async function* (ended: AbortSignal): AsyncGenerator<NewMessages, void> {
      const callOptions = bulkOptions(callDefaults, ended);
      const failures: unknown[] = [];
      const read = async ({ id }: Conversation): Promise<NewMessages | undefined> => {
        const label = `conversations.get of ${oneLine(key.redact(id, ID_LENGTH))}`;
        const result = await caller.makeCall(
          { ...operations['conversations.get'], label },
          { params: { id }, query: { messagesLimit: MESSAGES_LIMIT }, ...bulkInput(callDefaults) },
          callOptions,
          (response) => readNewMessages(response, from, reporter),
        );
        if (!('error' in result)) {
          return result.data;
        }
        const { error } = result;
        // A 404 means that the conversation was deleted after the list was read.
        if (!(error instanceof NotFoundError)) {
          failures.push(error);
          if (endsBulkWork(error) || error instanceof RateLimitError || failures.length === MAX_FAILURES) {
            throw error;
          }
        }
        return undefined;
      };

      let nextFrom: number | undefined;
      const conversations = async function* () {
        const query = { status, pipelineId };
        const ahead = concurrency > 1 ? concurrency : 0;
        const mayHaveNew = ({ lastMessageAt }: Conversation) => mayBeFrom(lastMessageAt, from - TOLERANCE);
        nextFrom = yield* findConversations(settings, caller, query, callOptions, ahead, mayHaveNew);
      };
      for await (const found of mapInOrder(conversations(), read, concurrency, ended)) {
        if (found !== undefined) {
          yield found;
        }
      }
      ended.throwIfAborted();
      if (failures.length > 0) {
        throw failures[0];
      }
      checkpoint = new Date(Math.max(from, nextFrom ?? from)).toISOString();
    };

    const iterator = createListIterator(run, signal);
    let isUsed = false;
    return {
      get checkpoint() {
        return checkpoint;
      },
      [Symbol.asyncIterator]() {
        if (isUsed) {
          throw new ConfigurationError(
            'A pass can be iterated over once. Call conversations.messagesSince again.',
          );
        }
        isUsed = true;
        return iterator;
      },
    };
  };
