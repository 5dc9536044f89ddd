import { sameForAll } from '../evidence.ts';
import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import type { Service } from '../service.ts';
import { bodyOf } from '../service.ts';

const QUESTION = 'Numbers beyond their bounds';

/** Each number with its nearest bound. */
const OF_LISTS = [
  ['leads.list', 'limit', 0, 1],
  ['leads.list', 'limit', 101, 100],
  ['leads.list', 'offset', -1, 0],
  ['conversations.list', 'limit', 0, 1],
] as const;

const OF_MESSAGES = [0, -1];

/** What the service does: it refuses the number, or uses the bound in its place. */
const reaction = (status: number, request: string, used: () => number, bound: number): [string, string] => {
  if (status === 400) {
    return ['refused', request];
  }
  if (used() !== bound) {
    throw new NoAnswer(
      `the service accepts ${request}, and does not move it to ${bound}`,
      "Ask the service's team what it does instead.",
    );
  }
  return ['clamped', request];
};

const ask = async (service: Service) => {
  const seen: [string, string][] = [];
  for (const [operation, name, value, bound] of OF_LISTS) {
    const reply = await service.ask(operation, { query: { [name]: value } });
    const used = () => bodyOf(reply).meta[name];
    seen.push(reaction(reply.status, `${name}=${value} of ${operation}`, used, bound));
  }
  const conversation = await service.conversation();
  for (const value of conversation === undefined ? [] : OF_MESSAGES) {
    const reply = await service.ask('conversations.get', {
      id: conversation,
      query: { messagesLimit: value },
    });
    const used = () => bodyOf(reply).data.messages.length;
    seen.push(reaction(reply.status, `messagesLimit=${value} of conversations.get`, used, 1));
  }
  return sameForAll(seen);
};

/** Sends numbers beyond their bounds. The answer is one only if all operations do the same with them. */
export const outOfRange = rule({ question: QUESTION, path: ['behavior', 'input', 'outOfRange'], ask });
