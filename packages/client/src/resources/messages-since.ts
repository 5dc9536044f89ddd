import type { Checks } from '@confab/internal';
import { anyValue, integerFrom, isDate, oneLine } from '@confab/internal';
import type { Caller } from '../call/call.ts';
import { readData } from '../call/check-response.ts';
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
  /** Its messages from `since` on, oldest first. */
  readonly messages: readonly Message[];
  /**
   * False when it has more messages from `since` on than the API returns, which is 100. No operation reads the others.
   * There may be no `messages` at all if the service returns the earliest ones.
   */
  readonly isComplete: boolean;
}

/** Options of `conversations.messagesSince`. */
export interface MessagesSinceOptions extends Pick<ConversationListQuery, 'status' | 'pipelineId'> {
  /**
   * Maximum number of conversations, or of pages of their list, to read at once. The client's own `concurrency` and rate
   * limit also apply.
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
 * A conversation that cannot be read does not keep others from being yielded: at the end, the pass throws the first error,
 * whose message has the id of the conversation. It ends at once after 20 of them, or if every other read would fail too,
 * as after a 401.
 */
export interface MessagesPass extends AsyncIterable<NewMessages> {
  /**
   * Where the next pass begins, as an ISO date-time: undefined until this pass has ended, and for good if it was broken
   * off or has thrown. Save it only once you have stored what the pass yielded.
   *
   * It is where this pass began if the list did not settle. That happens in each pass if the service reports no `total`, or
   * counts no further than some number and has more conversations: then nothing is lost, but each pass reads all messages
   * since that time again.
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

/** Milliseconds by which two times of one service may differ: some are cut to seconds. */
const TOLERANCE = 1_000;
/** The number of messages to ask for: the maximum that the API allows. */
const MESSAGES_LIMIT = 100;
/** Number of conversations that cannot be read before the service, rather than those conversations, is at fault. */
const MAX_FAILURES = 20;
/** Characters of an id that errors show. */
const ID_LENGTH = 36;

/** @throws {@link ConfigurationError} When the value is no time. */
const toTime = (since: unknown, redact: Redact): number => {
  const time =
    typeof since === 'string' ? DateTimeSchema.safeParse(since).success && Date.parse(since) : since;
  const date = new Date(isDate(time) ? time.getTime() : typeof time === 'number' ? time : Number.NaN);
  if (Number.isNaN(date.getTime())) {
    // Shortened after that: the beginning of a key is not recognized.
    const shown = preview(typeof since === 'string' ? redact(since) : since);
    throw new ConfigurationError(
      `\`since\` of conversations.messagesSince must be a Date, a date-time such as "2026-01-31T12:00:00Z", or milliseconds since 1970, got ${isDate(since) ? 'an invalid Date' : shown}.`,
    );
  }
  return date.getTime();
};

/** Whether a time may be at or after another. A time that cannot be parsed counts as one that may. */
const mayBeFrom = (time: string | null | undefined, from: number): boolean =>
  time !== null && !(Date.parse(String(time)) < from);

/** Reads the messages since a time; undefined if there are none. */
const readNewMessages = (
  response: ApiResponse,
  from: number,
  reporter: ClientSettings['reporter'],
): NewMessages | undefined => {
  const { messages: sent, ...conversation } = readData<'conversations.get'>(response, reporter).data;
  const all = checkRows<Message>('data.messages', sent, response);
  const timeOf = ({ createdAt }: Message) => Date.parse(createdAt);
  const messages = all
    .filter(({ createdAt }) => mayBeFrom(createdAt, from))
    .sort((a, b) => timeOf(a) - timeOf(b));
  const latest = Math.max(...all.map(timeOf));
  const reachesBoth =
    messages.length < all.length &&
    // Some services may return the earliest messages.
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
        // After a 404, it has been deleted in the meantime.
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
