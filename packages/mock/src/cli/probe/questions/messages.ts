import type { Message } from '@confab/client/contract';
import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { Service } from '../service.ts';
import { directionOf, MIN_STEPS } from '../steps.ts';

const ORDER = 'Order of messages';
const SELECT = 'Messages that `messagesLimit` keeps';

/** Conversations that are read at most. */
const MOST = 5;

/** With as many messages, the two latest ones are not the two earliest ones. */
const ENOUGH = 4;

const times = (messages: readonly Message[]): number[] =>
  messages.map(({ createdAt }) => Date.parse(createdAt));

const selectOf = async (
  service: Service,
  id: string,
  all: readonly Message[],
  order: 'asc' | 'desc',
): Promise<Finding> => {
  const reply = await service.read('conversations.get', { id, query: { messagesLimit: 2 } });
  if (reply.body === undefined) {
    return unanswered(SELECT, reply);
  }
  const kept = reply.body.data.messages.map((message) => message.id).join();
  const inOrder = all.map((message) => message.id);
  const [first, last] = [inOrder.slice(0, 2).join(), inOrder.slice(-2).join()];
  if (kept !== first && kept !== last) {
    return unknown(
      SELECT,
      'of the messages, neither the first two nor the last two were returned',
      "Ask the service's team.",
    );
  }
  return learned(
    SELECT,
    ['behavior', 'messages', 'select'],
    (kept === last) === (order === 'asc') ? 'latest' : 'earliest',
  );
};

/** Reads some conversations whole, and one of them with `messagesLimit=2`. */
export const messages: Question = {
  topic: 'messages of a conversation',
  async ask(service) {
    const page = await service.read('conversations.list', { query: { limit: 100 } });
    if (page.body === undefined) {
      return [unanswered(ORDER, page), unanswered(SELECT, page)];
    }
    const lists = new Map<string, readonly Message[]>();
    const direction = () =>
      directionOf([...lists.values()].map((list) => list.map(({ createdAt }) => createdAt)));
    const isLong = (list: readonly Message[]) =>
      new Set(times(list)).size === list.length && list.length >= ENOUGH;
    for (const { id } of page.body.data
      .filter(({ lastMessageAt }) => lastMessageAt !== null)
      .slice(0, MOST)) {
      const reply = await service.read('conversations.get', { id, query: { messagesLimit: 100 } });
      if (reply.body === undefined) {
        return [unanswered(ORDER, reply), unanswered(SELECT, reply)];
      }
      // A longer one is not known whole.
      if (reply.body.data.messages.length < 100) {
        lists.set(id, reply.body.data.messages);
      }
      if (direction().steps >= MIN_STEPS && [...lists.values()].some(isLong)) {
        break;
      }
    }
    const { directions, steps } = direction();
    const [order] = directions;
    const more = `Add a conversation of ${MIN_STEPS + 1} messages or more, and fewer than 100.`;
    if (order === undefined || steps < MIN_STEPS) {
      const reason =
        order === undefined
          ? 'the messages are in no order by `createdAt`'
          : `${lists.size} of the latest conversations have too few messages`;
      return [unknown(ORDER, reason, more), unknown(SELECT, reason, more)];
    }
    const found = learned(ORDER, ['behavior', 'messages', 'order'], order);
    const [id, all] = [...lists].find(([, list]) => isLong(list)) ?? [];
    return id === undefined || all === undefined
      ? [
          found,
          unknown(SELECT, `no conversation that was read has ${ENOUGH} messages of different times`, more),
        ]
      : [found, await selectOf(service, id, all, order)];
  },
};
