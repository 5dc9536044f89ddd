import type { Question } from '../question.ts';
import { reactionTo } from '../reaction.ts';

/** Each number with its nearest bound. */
const NUMBERS = [
  ['leads.list', 'limit', 0, 1],
  ['leads.list', 'limit', 101, 100],
  ['leads.list', 'offset', -1, 0],
  ['conversations.list', 'limit', 0, 1],
  ['conversations.get', 'messagesLimit', 0, 1],
  ['conversations.get', 'messagesLimit', -1, 1],
] as const;

/** Sends numbers beyond their bounds. The answer is one only if all operations do the same with them. */
export const outOfRange: Question = {
  text: 'Numbers beyond their bounds',
  option: ['behavior', 'input', 'outOfRange'],
  async ask(service) {
    const id = await service.conversation();
    const numbers = NUMBERS.filter(([operation]) => operation !== 'conversations.get' || id !== undefined);
    const requests = numbers.map(([operation, name, value, bound]) => ({
      name: `${name}=${value} of ${operation}`,
      operation,
      input: { query: { [name]: value }, ...(operation === 'conversations.get' && { id }) },
      accepted: (body: object) => {
        const messages: unknown = Reflect.get(Reflect.get(body, 'data'), 'messages');
        const used = Array.isArray(messages) ? messages.length : Reflect.get(Reflect.get(body, 'meta'), name);
        return used === bound ? 'clamped' : undefined;
      },
    }));
    return reactionTo(service, requests);
  },
};
