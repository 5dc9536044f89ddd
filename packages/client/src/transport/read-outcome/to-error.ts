import type { ConfabError } from '../../errors/index.ts';
import { ConnectionError, InvalidResponseError, TimeoutError } from '../../errors/index.ts';
import type { CallFacts } from '../../options/hooks.ts';
import type { Config } from '../../options/resolve-client-options.ts';
import { oneLine } from '../../secrecy/one-line.ts';
import type { Redact } from '../../secrecy/redact.ts';
import { safeCause } from '../../secrecy/safe-cause.ts';
import { isFinalFailure } from '../is-final-failure.ts';
import type { Exchange } from '../read-response.ts';
import { decodeError } from './decode-envelope.ts';

/** Where in a chain of causes the fault is named: undici says `fetch failed`, and its cause why. */
const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error);

/** Characters of an address that are shown. */
const LONGEST_LOCATION = 200;

/** The error that an attempt ends its call with; undefined when the attempt succeeded. */
export const failureOf = (
  exchange: Exchange,
  { operation, method, attempt: attempts }: CallFacts,
  timeout: number,
  { baseUrl, maxResponseBytes }: Config,
  redact: Redact,
): ConfabError | undefined => {
  const doubt =
    method === 'POST'
      ? ' Whether the service has acted is unknown: look before you send it again, or set `retry.nonIdempotent`.'
      : '';

  if (exchange.kind === 'timeout') {
    return new TimeoutError(
      `${operation} got no whole answer within ${timeout} ms (attempt ${attempts}).${doubt}`,
      {
        kind: 'attempt',
        operation,
        attempts,
      },
    );
  }
  if (exchange.kind === 'oversized') {
    const { status } = exchange;
    return new InvalidResponseError(
      `${operation} responded with ${status} and more than ${maxResponseBytes} bytes. If it should be that large, raise \`maxResponseBytes\`.${doubt}`,
      { operation, status },
    );
  }
  if (exchange.kind === 'connection') {
    const cause = safeCause(exchange.error, redact);
    const why = cause === undefined ? '' : `: ${innermost(cause).message}`;
    if (exchange.status !== undefined) {
      return new InvalidResponseError(
        `${operation} answered ${exchange.status}, but the connection broke before the end of the body (attempt ${attempts})${why}.${doubt}`,
        { operation, status: exchange.status, cause },
      );
    }
    return new ConnectionError(
      `${operation} could not reach ${redact(new URL(baseUrl).origin)}, or lost it before an answer (attempt ${attempts})${why}.${isFinalFailure(exchange.error) ? '' : doubt}`,
      { operation, attempts, cause },
    );
  }

  const { status, headers, redirected } = exchange;
  if (redirected) {
    const { location } = headers;
    return new InvalidResponseError(
      `${operation} was redirected${location === undefined ? '' : ` to ${oneLine(location).slice(0, LONGEST_LOCATION)}`}, and redirects are refused: a followed one would carry the API key to wherever it points. Set \`baseUrl\` to the final address.`,
      { operation, status },
    );
  }
  if (status >= 400) {
    return decodeError({ ...exchange, operation, attempts, redact });
  }
  if (status >= 200 && status < 300) {
    return undefined;
  }
  return new InvalidResponseError(`${operation} answered ${status}, which the API never does.`, {
    operation,
    status,
  });
};
