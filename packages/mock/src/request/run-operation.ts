import type { Answer } from '../http/call.ts';
import { answerOf, errorAnswer } from '../http/envelope.ts';
import { notFound, payloadTooLarge, Refusal } from '../http/refusal.ts';
import { perform } from '../operations/perform.ts';
import type { World } from '../world/world.ts';
import { admit } from './admit.ts';
import { authenticate, authorise } from './authenticate.ts';
import { checkInput } from './check-input.ts';
import type { Received } from './request-context.ts';

/**
 * Lets time pass while something is waited for.
 *
 * @throws The reason of the signal that it hands out, once that aborts: the caller has gone, or the world.
 */
export type Release = <T>(wait: (signal: AbortSignal) => T | Promise<T>) => Promise<T>;

/** What the service itself says, in the order of its checks: 401, 429, 403, 400, 404, 409. */
export const serviceAnswer = async (
  world: World,
  { call, found, query, body }: Received,
  released: Release,
): Promise<Answer> => {
  let headers: Record<string, string> = {};
  try {
    if (!call.secure) {
      throw new Refusal(403, 'HTTPS_REQUIRED', 'Plain HTTP is not accepted; use https');
    }
    if (body === undefined) {
      throw payloadTooLarge();
    }
    if (found === undefined) {
      throw notFound(`There is nothing at ${call.method} ${call.path}`);
    }
    const { id, operation, params } = found;
    const key = authenticate(world.keys, call);
    const window = admit(key, world.clock.now());
    if (world.rateLimitHeaders === 'always') {
      headers = window;
    }
    authorise(key, world.scopes[id] ?? operation.scope);
    const input = checkInput(operation, { params, query, body });
    const performed = perform(world, id, input);
    const output = performed instanceof Promise ? await byAgent(world, performed, released) : performed;
    return answerOf(operation, output, { headers, strict: world.strict });
  } catch (error) {
    call.signal?.throwIfAborted();
    return errorAnswer(error, { headers, strict: world.strict });
  }
};

/** Only an agent takes its time, by code of the test. */
const byAgent = async <T>({ clock }: World, performed: Promise<T>, released: Release): Promise<T> => {
  const back = clock.outside('test');
  return released(() => performed).finally(back);
};
