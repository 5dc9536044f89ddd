import type { OperationId } from '@confab/client/contract';
import { demand } from '../evidence.ts';
import type { Question } from '../question.ts';
import type { Reply } from '../reply.ts';
import { bodyOf } from '../reply.ts';
import type { ProbeInput, Service } from '../service.ts';

/** A request that breaks the contract. */
interface Broken {
  /** What messages call it. */
  readonly name: string;
  readonly operation: OperationId;
  readonly input: ProbeInput;
  /** What the service has done if it accepts the request; `undefined` if the mock has no word for it. */
  accepted(body: NonNullable<Reply['body']>): string | undefined;
}

/**
 * Sends requests that break the contract in the same way, and returns what the service does with them: it refuses all, or
 * accepts all.
 *
 * @throws {@link NoAnswer} When it does different things, or something else.
 */
const reactionTo = async (service: Service, requests: readonly Broken[]): Promise<string | undefined> => {
  const seen = new Map<string, string>();
  for (const { name, operation, input, accepted } of requests) {
    const reply = await service.ask(operation, input);
    const did = reply.status === 400 ? 'refused' : accepted(bodyOf(reply));
    const unlike = `the service accepts ${name}, but not as the mock does`;
    demand(did !== undefined, unlike, "Ask the service's team what it does instead.");
    seen.set(did, name);
  }
  demand(
    seen.size <= 1,
    [...seen].map(([did, name]) => `${name} is ${did}`).join(', but '),
    'No option covers this: the mock treats all operations alike. Use `faults` for the one that differs.',
  );
  return [...seen.keys()][0];
};

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
const outOfRange: Question = {
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

/** A name that no service has. */
const NAME = 'confabProbe';

const accepted = (): string => 'ignored';

/** Adds an unknown parameter to three operations. The answer is one only if all of them do the same with it. */
const unknownQuery: Question = {
  text: 'Unknown query parameters',
  option: ['behavior', 'input', 'unknownQuery'],
  ask(service) {
    const input = { query: { [NAME]: 1 } };
    const requests = (['leads.list', 'conversations.list', 'agents.list'] as const).map((operation) => {
      const name = `the unknown parameter of ${operation}`;
      return { name, operation, input, accepted };
    });
    return reactionTo(service, requests);
  },
};

/** Creates a lead with an unknown field. */
const unknownBody: Question = {
  text: 'Unknown fields in a body',
  option: ['behavior', 'input', 'unknownBody'],
  writes: true,
  ask(service) {
    const input = { body: { ...service.newLead(), [NAME]: true } };
    return reactionTo(service, [
      { name: 'the unknown field of leads.create', operation: 'leads.create', input, accepted },
    ]);
  },
};

export const invalidInput = [outOfRange, unknownQuery, unknownBody];
