import type { OperationId } from '@confab/client/contract';
import { assertEvidence } from '../evidence.ts';
import type { Reply, Service } from '../service.ts';
import { bodyOf } from '../service.ts';

/** A parameter that breaks the contract; for a number, with the nearest bound. */
type Mistake = readonly [operation: OperationId, parameter: string, value: string, bound?: number];

/** The number that the service has used for a parameter. */
const usedFor = (parameter: string, body: NonNullable<Reply['body']>): unknown =>
  'messages' in body.data
    ? body.data.messages.length
    : Reflect.get(Object(Reflect.get(body, 'meta')), parameter);

/**
 * Makes similar mistakes, and returns how the service reacts: it refuses all of them, or accepts all of them.
 *
 * @param accepted The word for a service that accepts them.
 * @throws A {@link NoAnswer} when it does not react to all of them alike, or not as a mock does.
 */
const findReaction = async (service: Service, mistakes: readonly Mistake[], accepted: string) => {
  const id = await service.conversation();
  const seen = new Map<string, string>();
  const possible = mistakes.filter(([operation]) => operation !== 'conversations.get' || id !== undefined);
  for (const [operation, parameter, value, bound] of possible) {
    const name = `${parameter}=${value} of ${operation}`;
    const reply = await service.ask(operation, { id, query: { [parameter]: value } });
    if (reply.status !== 400) {
      const used = usedFor(parameter, bodyOf(reply));
      const unlike = `the service accepts ${name}, but not as the mock does`;
      assertEvidence(
        bound === undefined || used === bound,
        unlike,
        "Ask the service's team what it does instead.",
      );
    }
    seen.set(reply.status === 400 ? 'refused' : accepted, name);
  }
  assertEvidence(
    seen.size === 1,
    [...seen].map(([reaction, name]) => `${name} is ${reaction}`).join(', but '),
    'No option covers this: the mock treats all operations alike. Use `faults` for the one that differs.',
  );
  return [...seen.keys()][0];
};

const OUT_OF_RANGE: readonly Mistake[] = [
  ['leads.list', 'limit', '0', 1],
  ['leads.list', 'limit', '101', 100],
  ['leads.list', 'offset', '-1', 0],
  ['conversations.list', 'limit', '0', 1],
  ['conversations.get', 'messagesLimit', '0', 1],
  ['conversations.get', 'messagesLimit', '-1', 1],
];

/** Sends numbers beyond their bounds. */
export const outOfRange = (service: Service) => findReaction(service, OUT_OF_RANGE, 'clamped');

/** The name of a parameter or field that no service has. */
export const UNKNOWN_NAME = 'confabProbe';

const UNKNOWN: readonly Mistake[] = [
  ['leads.list', UNKNOWN_NAME, '1'],
  ['conversations.list', UNKNOWN_NAME, '1'],
  ['agents.list', UNKNOWN_NAME, '1'],
];

/** Adds an unknown parameter. */
export const unknownQuery = (service: Service) => findReaction(service, UNKNOWN, 'ignored');
