import { isError } from '@confab/internal';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { Redact } from '../secrecy/redact.ts';
import { describeCause, safeCause } from '../secrecy/safe-cause.ts';
import type { Clock } from '../time/clock.ts';
import { findConnectFailure } from './connect-failure.ts';
import type { Outcome } from './outcome.ts';
import { toOutcome } from './receive-response.ts';

/**
 * Node's `fetch` rejects on a 407, with an empty error as cause. It does so for no other reason in a request like ours.
 *
 * @param error A copy by `safeCause`, whose properties can be read safely.
 */
const isHidden407 = ({ message, cause }: Error): boolean =>
  message === 'fetch failed' && isError(cause) && !cause.message && !('code' in cause);

/**
 * Returns true when a `fetch` that rejected with this error would reject in the same way again, because of a mistake in
 * its code.
 *
 * @param error A copy by `safeCause`, whose properties can be read safely.
 */
const isProgrammingError = (error: Error): boolean =>
  error.name === 'ReferenceError' ||
  /is not a function$|failed to parse url|invalid url|url is invalid|not a valid url/i.test(
    describeCause(error),
  );

/** Describes how an attempt ended after its `fetch` rejected, before the response came or while its body was read. */
export const toFailure = (
  error: unknown,
  response: Response | undefined,
  path: string,
  redact: Redact,
  clock: Clock,
): Outcome => {
  // Deno, Bun and node-fetch quote the whole URL in their errors. Its query may contain personal data.
  const query = path.replace(/^[^?]*/, '');
  const hide: Redact = (text, ...bounds) => redact(text.replaceAll(query, ''), ...bounds);
  if (error instanceof MiddlewareFailure) {
    const { outcome } = error;
    return { ...outcome, mayHaveActed: outcome.status !== undefined, cause: safeCause(error.cause, hide) };
  }
  const cause = safeCause(error, hide);
  if (cause && isHidden407(cause)) {
    return toOutcome(new Response(null, { status: 407 }), '', redact, clock);
  }
  if (response) {
    return { kind: 'broken', mayHaveActed: true, status: response.status, cause };
  }
  const failure = findConnectFailure(error);
  if (failure) {
    return { kind: 'unsent', mayHaveActed: false, cause, failure };
  }
  const isMistake = cause !== undefined && isProgrammingError(cause);
  return { kind: 'lost', mayHaveActed: !isMistake, cause, final: isMistake };
};
