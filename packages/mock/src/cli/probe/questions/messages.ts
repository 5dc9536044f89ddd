import type { Message } from '@confab/client/contract';
import { directionOf, MIN_STEPS, onlyFit } from '../evidence.ts';
import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import type { Service } from '../service.ts';

/** Conversations that are read at most. */
const MAX_READ = 5;

/** With as many messages, the two latest ones are not the two earliest ones. */
const ENOUGH = 4;

const MORE = `Add a conversation of ${MIN_STEPS + 1} messages or more, and fewer than 100.`;

interface Whole {
  readonly id: string;
  readonly messages: readonly Message[];
}

const timesOf = ({ messages }: Whole): string[] => messages.map(({ createdAt }) => createdAt);

const isTelling = (conversation: Whole): boolean =>
  conversation.messages.length >= ENOUGH &&
  new Set(timesOf(conversation).map(Date.parse)).size === conversation.messages.length;

/** Reads conversations whole until their messages tell the order. */
const readSome = async (service: Service): Promise<{ order: 'asc' | 'desc' | undefined; read: Whole[] }> => {
  const page = await service.need('conversations.list', { query: { limit: 100 } });
  const read: Whole[] = [];
  const run = () => directionOf(read.map(timesOf));
  const withMessages = page.data.filter(({ lastMessageAt }) => lastMessageAt !== null);
  for (const { id } of withMessages.slice(0, MAX_READ)) {
    const { data } = await service.need('conversations.get', { id, query: { messagesLimit: 100 } });
    // A longer one is not known whole.
    if (data.messages.length < 100) {
      read.push({ id, messages: data.messages });
    }
    if (run().steps >= MIN_STEPS && read.some(isTelling)) {
      break;
    }
  }
  const { directions, steps } = run();
  if (directions.length > 0 && steps < MIN_STEPS) {
    throw new NoAnswer(`${read.length} of the latest conversations have too few messages`, MORE);
  }
  return { order: onlyFit(directions, 'the times of the messages', MORE), read };
};

/** Reads a conversation with `messagesLimit=2`, and compares these with all of its messages. */
const selection = async (service: Service): Promise<string | undefined> => {
  const { order, read } = await readSome(service);
  const whole = read.find(isTelling);
  if (whole === undefined) {
    throw new NoAnswer(`no conversation that was read has ${ENOUGH} messages of different times`, MORE);
  }
  const { data } = await service.need('conversations.get', { id: whole.id, query: { messagesLimit: 2 } });
  const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id).join();
  const kept = idsOf(data.messages);
  const [first, last] = order === 'asc' ? ['earliest', 'latest'] : ['latest', 'earliest'];
  const fits = [
    ...(kept === idsOf(whole.messages.slice(0, 2)) ? [first] : []),
    ...(kept === idsOf(whole.messages.slice(-2)) ? [last] : []),
  ];
  return onlyFit(fits, 'the messages that were returned', MORE);
};

export const messages = [
  rule({
    question: 'Order of messages',
    path: ['behavior', 'messages', 'order'],
    ask: async (service) => (await readSome(service)).order,
  }),
  rule({
    question: 'Messages that `messagesLimit` keeps',
    path: ['behavior', 'messages', 'select'],
    ask: selection,
  }),
];
