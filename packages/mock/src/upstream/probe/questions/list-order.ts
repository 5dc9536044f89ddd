import type { Message } from '@confab/client/contract';
import { BEHAVIOR_WORDS } from '../../../world/behavior.ts';
import { compareValues } from '../../../world/store/list-order.ts';
import { assertEvidence, onlyFit } from '../evidence.ts';
import type { Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

type Lists = readonly (readonly object[])[];

/**
 * The number of steps in one direction that proves an order. Six rows in random order would be sorted by chance in 1 of
 * 360 lists.
 */
const MIN_STEPS = 5;

/** The value of a field for comparison. Times of the same moment become equal, whatever their offset and precision. */
const comparable = (row: object, field: string): string | null => {
  const value: string | null = Reflect.get(row, field);
  return value !== null && field.endsWith('At') ? new Date(value).toISOString() : value;
};

/** Compares each row with the row before it. A step is positive if the row comes later in this order; equal rows have none. */
const stepsOf = (lists: Lists, order: string): number[] => {
  const [field = '', direction] = order.split(' ');
  return lists.flatMap((rows) => {
    const values = rows.map((row) => comparable(row, field));
    const steps = values.slice(1).map((value, index) => compareValues(value, values[index] ?? null));
    return steps.filter((step) => step !== 0).map((step) => (direction === 'asc' ? step : -step));
  });
};

/**
 * Returns the single order that all lists have.
 *
 * @param orders The orders that the mock supports: `createdAt asc`.
 * @param rows The noun for messages: `rows`.
 * @throws A {@link NoAnswer} when no order fits, when several do, or when the fit may be a coincidence.
 */
const onlyOrder = (orders: readonly string[], lists: Lists, rows: string): string => {
  const evidence = `the ${lists.flat().length} ${rows}`;
  const fits = orders.filter((order) => stepsOf(lists, order).every((step) => step > 0));
  const order = onlyFit(fits, evidence, `Add ${rows} that these orders would put in different places.`);
  assertEvidence(
    stepsOf(lists, order).length >= MIN_STEPS,
    `${evidence} fit ${order}, but so few could do so by chance`,
    `Add ${rows} until more than ${MIN_STEPS} of them have different times.`,
  );
  return order;
};

/** Reads one page of a list, and finds the order of its rows. */
export const orderOf = (list: keyof typeof BEHAVIOR_WORDS.order) => async (service: Service) => {
  const { data } = await service.read(list, list === 'agents.list' ? {} : FIRST_PAGE);
  return onlyOrder(BEHAVIOR_WORDS.order[list], [data], 'rows');
};

/** The maximum number of conversations to read. */
const MAX_CONVERSATIONS = 3;

const readConversations = async (service: Service) => {
  const { data } = await service.read('conversations.list', FIRST_PAGE);
  const read = [];
  for (const { id } of data.filter((row) => row.lastMessageAt !== null).slice(0, MAX_CONVERSATIONS)) {
    read.push((await service.read('conversations.get', { id, query: { messagesLimit: '100' } })).data);
  }
  return read;
};

/** Reads some conversations, and finds the order of their messages. */
export const orderOfMessages = async (service: Service): Promise<string> => {
  const lists = (await readConversations(service)).map(({ messages }) => messages);
  return onlyOrder(['createdAt asc', 'createdAt desc'], lists, 'messages').replace('createdAt ', '');
};

/** With this many messages, the two latest are not the two earliest. */
const MIN_MESSAGES = 4;

/** The different times of messages, from the earliest to the latest. */
const timesOf = (messages: readonly Message[]): number[] =>
  [...new Set(messages.map(({ createdAt }) => Date.parse(createdAt)))].sort((a, b) => a - b);

/** Reads a conversation with `messagesLimit=2`, and compares the two messages with all of them. */
export const keptMessages = async (service: Service): Promise<string> => {
  const remedy = `Add a conversation of ${MIN_MESSAGES} messages or more, and fewer than 100.`;
  const lacking = `no conversation that was read has ${MIN_MESSAGES} messages of different times`;
  const complete = (await readConversations(service)).find(({ messages }) => {
    const times = timesOf(messages).length;
    // Of a longer conversation, the service returns only a part.
    return times === messages.length && times >= MIN_MESSAGES && times < 100;
  });
  assertEvidence(complete !== undefined, lacking, remedy);
  const { id, messages } = complete;
  const { data } = await service.read('conversations.get', { id, query: { messagesLimit: '2' } });
  const times = timesOf(messages);
  const keeps = { earliest: times.slice(0, 2), latest: times.slice(-2) };
  const kept = String(timesOf(data.messages));
  const fits = BEHAVIOR_WORDS.messages.select.filter((word) => String(keeps[word]) === kept);
  return onlyFit(fits, 'the messages that were returned', remedy);
};
