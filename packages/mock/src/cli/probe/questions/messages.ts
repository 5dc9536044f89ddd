import type { Message } from '@confab/client/contract';
import { BEHAVIOR_WORDS } from '../../../world/complete-behavior.ts';
import { demand, onlyFit, onlyOrder } from '../evidence.ts';
import type { Rule } from '../rule.ts';
import type { Service } from '../service.ts';
import { FIRST_PAGE } from '../service.ts';

/** Conversations that are read. */
const READ = 3;

/** With as many messages, the two latest ones are not the two earliest ones. */
const ENOUGH = 4;

const SETTLE = `Add a conversation of ${ENOUGH} messages or more, and fewer than 100.`;

const readSome = async (service: Service) => {
  const { data } = await service.need('conversations.list', FIRST_PAGE);
  const read = [];
  for (const { id } of data.filter(({ lastMessageAt }) => lastMessageAt !== null).slice(0, READ)) {
    read.push((await service.need('conversations.get', { id, query: { messagesLimit: 100 } })).data);
  }
  return read;
};

/** Reads some conversations, and finds the order of their messages. */
const order: Rule = {
  question: 'Order of messages',
  option: ['behavior', 'messages', 'order'],
  async ask(service) {
    const lists = (await readSome(service)).map(({ messages }) => messages);
    const found = onlyOrder(['createdAt asc', 'createdAt desc'], lists, 'messages');
    return found.replace('createdAt ', '');
  },
};

/** Reads a conversation with `messagesLimit=2`, and compares these with all of its messages. */
const select: Rule = {
  question: 'Messages that `messagesLimit` keeps',
  option: ['behavior', 'messages', 'select'],
  async ask(service) {
    const timeOf = ({ createdAt }: Message) => Date.parse(createdAt);
    const whole = (await readSome(service)).find(({ messages }) => {
      const times = new Set(messages.map(timeOf)).size;
      // A longer one is not known whole.
      return times === messages.length && times >= ENOUGH && times < 100;
    });
    const lacking = `no conversation that was read has ${ENOUGH} messages of different times`;
    demand(whole !== undefined, lacking, SETTLE);
    const byTime = whole.messages.toSorted((a, b) => timeOf(a) - timeOf(b));
    const keeps = { earliest: byTime.slice(0, 2), latest: byTime.slice(-2) };
    const { data } = await service.need('conversations.get', { id: whole.id, query: { messagesLimit: 2 } });
    const isReturned = ({ id }: Message) => data.messages.some((message) => message.id === id);
    const fits = BEHAVIOR_WORDS.messages.select.filter(
      (word) => data.messages.length === 2 && keeps[word].every(isReturned),
    );
    return onlyFit(fits, 'the messages that were returned', SETTLE);
  },
};

export const messages = [order, select];
