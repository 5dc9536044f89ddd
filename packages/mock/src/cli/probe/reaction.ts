import type { OperationId } from '@confab/client/contract';
import { demand } from './evidence.ts';
import type { Reply } from './reply.ts';
import { bodyOf } from './reply.ts';
import type { ProbeInput, Service } from './service.ts';

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
export const reactionTo = async (
  service: Service,
  requests: readonly Broken[],
): Promise<string | undefined> => {
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
