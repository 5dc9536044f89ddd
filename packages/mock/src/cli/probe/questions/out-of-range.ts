import type { OperationId } from '@confab/client/contract';
import type { Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { ProbeInput, Reply, Service } from '../service.ts';

const QUESTION = 'Numbers beyond their bounds';

/** Requests with a number beyond its bounds, and the bound. */
const casesFor = (conversation: string | undefined) =>
  [
    ['leads.list', 'limit', 0, 1],
    ['leads.list', 'limit', 101, 100],
    ['leads.list', 'offset', -1, 0],
    ['conversations.list', 'limit', 0, 1],
    ...(conversation === undefined
      ? []
      : ([
          ['conversations.get', 'messagesLimit', 0, 1],
          ['conversations.get', 'messagesLimit', -1, 1],
        ] as const)),
  ] as const;

/** What a service does with a number beyond its bounds; `undefined` if it is none of these. */
const reaction = ({ status, body }: Reply, name: string, bound: number): string | undefined => {
  if (status === 400) {
    return 'refused';
  }
  const data: unknown = Reflect.get(body ?? {}, 'data');
  const used: unknown =
    name === 'messagesLimit'
      ? Reflect.get(Object(Reflect.get(Object(data), 'messages')), 'length')
      : Reflect.get(Object(Reflect.get(body ?? {}, 'meta')), name);
  return used === bound ? 'clamped' : undefined;
};

/** The first conversation, if there is one with messages. */
const conversationOf = async (service: Service): Promise<string | undefined> => {
  const { body } = await service.read('conversations.list', { query: { limit: 100 } });
  return body?.data.find(({ lastMessageAt }) => lastMessageAt !== null)?.id;
};

/** Sends numbers beyond their bounds. The answer is one only if all operations do the same with them. */
export const outOfRange: Question = {
  topic: 'numbers beyond their bounds',
  async ask(service) {
    const id = await conversationOf(service);
    const seen = new Map<string, string>();
    for (const [operation, name, value, bound] of casesFor(id)) {
      const input: ProbeInput = {
        ...(operation === 'conversations.get' && { id }),
        query: { [name]: value },
      };
      const reply: Reply = await service.read<OperationId>(operation, input);
      const found = reaction(reply, name, bound);
      if (found === undefined) {
        return [
          reply.body === undefined
            ? unanswered(QUESTION, reply)
            : unknown(
                QUESTION,
                `${operation} accepts ${name}=${value}, and does not move it to ${bound}`,
                "Ask the service's team what it does instead.",
              ),
        ];
      }
      seen.set(found, `${operation} with ${name}=${value}`);
    }
    const [found, another] = seen.keys();
    return [
      found === undefined || another !== undefined
        ? unknown(
            QUESTION,
            [...seen].map(([reacted, request]) => `${request} is ${reacted}`).join(', but '),
            'Nothing: the mock does the same for all operations. Use `faults` for the one that differs.',
          )
        : learned(QUESTION, ['behavior', 'input', 'outOfRange'], found),
    ];
  },
};
