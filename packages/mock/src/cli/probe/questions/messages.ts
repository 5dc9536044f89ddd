import type { Message } from '@confab/client/contract';
import { BEHAVIOR_WORDS } from '../../../world/complete-behavior.ts';
import { demand, onlyFit, onlyOrder } from '../evidence.ts';
import type { Question } from '../question.ts';
import type { Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

/** Conversations that are read. */
const MAX_CONVERSATIONS = 3;

/** With as many messages, the two latest ones are not the two earliest ones. */
const MIN_MESSAGES = 4;

const REMEDY = `Add a conversation of ${MIN_MESSAGES} messages or more, and fewer than 100.`;

const readSome = async (service: Service) => {
  const { data } = await service.need('conversations.list', FIRST_PAGE);
  const read = [];
  for (const { id } of data
    .filter(({ lastMessageAt }) => lastMessageAt !== null)
    .slice(0, MAX_CONVERSATIONS)) {
    read.push((await service.need('conversations.get', { id, query: { messagesLimit: 100 } })).data);
  }
  return read;
};

/** Reads some conversations, and finds the order of their messages. */
const order: Question = {
  text: 'Order of messages',
  option: ['behavior', 'messages', 'order'],
  async ask(service) {
    const lists = (await readSome(service)).map(({ messages }) => messages);
    const found = onlyOrder(['createdAt asc', 'createdAt desc'], lists, 'messages');
    return found.replace('createdAt ', '');
  },
};

/** Reads a conversation with `messagesLimit=2`, and compares these with all of its messages. */
const select: Question = {
  text: 'Messages that `messagesLimit` keeps',
  option: ['behavior', 'messages', 'select'],
  async ask(service) {
    const timeOf = ({ createdAt }: Message) => Date.parse(createdAt);
    const complete = (await readSome(service)).find(({ messages }) => {
      const times = new Set(messages.map(timeOf)).size;
      // Only part of a longer conversation is known.
      return times === messages.length && times >= MIN_MESSAGES && times < 100;
    });
    const lacking = `no conversation that was read has ${MIN_MESSAGES} messages of different times`;
    demand(complete !== undefined, lacking, REMEDY);
    const byTime = complete.messages.toSorted((a, b) => timeOf(a) - timeOf(b));
    const keeps = { earliest: byTime.slice(0, 2), latest: byTime.slice(-2) };
    const { data } = await service.need('conversations.get', {
      id: complete.id,
      query: { messagesLimit: 2 },
    });
    const isReturned = ({ id }: Message) => data.messages.some((message) => message.id === id);
    const fits = BEHAVIOR_WORDS.messages.select.filter(
      (word) => data.messages.length === 2 && keeps[word].every(isReturned),
    );
    return onlyFit(fits, 'the messages that were returned', REMEDY);
  },
};

export const messages = [order, select];
