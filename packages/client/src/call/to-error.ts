import { oneLine } from '@confab/internal';
import type { ConfabError } from '../errors/index.ts';
import { ConfigurationError, ConnectionError, InvalidResponseError, TimeoutError } from '../errors/index.ts';
import type { Redact } from '../errors/redaction.ts';
import { innermost } from '../errors/redaction.ts';
import { isBrowser } from '../runtime/is-browser.ts';
import type { ApiResponse } from './call-result.ts';
import type { ApiRequest } from './check-input.ts';
import type { ConnectFailure } from './connect-failure.ts';
import type { AttemptOutcome } from './exchange.ts';

/** The call whose last attempt failed. */
export interface FailedCall {
  readonly request: ApiRequest;
  readonly attempts: number;
  /** The limit of an attempt in milliseconds. */
  readonly timeout: number;
  readonly baseUrl: string;
  readonly maxResponseBytes: number;
  readonly redact: Redact;
  /** What to add to the message if the service may have acted. */
  readonly doubt: string;
}

/** Characters of a `Location` header to show. */
const MAX_LOCATION = 200;

/** Says why no connection was made to the origin of the base URL. */
const explain = ({ kind, code }: ConnectFailure, origin: string, attempts: number): string => {
  const details = `${code ? ` (${code})` : ''}${attempts > 1 ? `, in ${attempts} attempts` : ''}`;
  switch (kind) {
    case 'refused':
      return `nothing accepts connections at ${origin}${details}.`;
    case 'unresolved':
      return `the name of ${origin} does not resolve${details}.`;
    case 'not-tls':
      return `the server at ${origin} does not speak TLS. Is it http?`;
  }
};

/** Creates the error of an attempt that ended without a whole response. */
export const toError = (
  outcome: Exclude<AttemptOutcome, { kind: 'response' }>,
  { request, attempts, timeout, baseUrl, maxResponseBytes, redact, doubt }: FailedCall,
): ConfabError => {
  const { operation, label } = request;
  if (outcome.kind === 'timeout') {
    return new TimeoutError(
      `${label} received no complete response within ${timeout} ms (attempt ${attempts}).${doubt}`,
      { kind: 'attempt', operation, attempts },
    );
  }
  const { status } = outcome;
  if (outcome.kind === 'oversized') {
    return new InvalidResponseError(
      `${label} returned ${status} with more than ${maxResponseBytes} bytes: raise \`maxResponseBytes\`.${doubt}`,
      { operation, status: outcome.status },
    );
  }
  const { cause } = outcome;
  const reason = cause ? `: ${innermost(cause).message}` : '';
  if (outcome.kind === 'middleware') {
    // No option makes the client repeat the call, so the advice after the comma would be wrong.
    const message = `${label} ${outcome.message}${reason}.${status ? doubt.replace(/,.*/, '.') : ''}`;
    return outcome.refused
      ? new ConfigurationError(message, {}, cause)
      : new InvalidResponseError(message, { operation, status: outcome.status, cause });
  }
  if (status !== undefined) {
    return new InvalidResponseError(
      `${label} returned ${status}, but the connection broke before the end of the body (attempt ${attempts})${reason}.${doubt}`,
      { operation, status, cause },
    );
  }
  const origin = redact(new URL(baseUrl).origin);
  if (outcome.unsent !== undefined) {
    const message = `${label} was not sent${doubt && ' again'}: ${explain(outcome.unsent, origin, attempts)}${doubt}`;
    return new ConnectionError(message, { operation, attempts, cause });
  }
  // A browser hides why `fetch` failed.
  const hint =
    isBrowser() && cause?.name === 'TypeError'
      ? ' In a browser this may be CORS: the API must allow the origin of the page.'
      : '';
  return new ConnectionError(
    `${label} could not reach ${origin}, or lost the connection before a response (attempt ${attempts})${reason}.${hint}${outcome.final ? '' : doubt}`,
    { operation, attempts, cause },
  );
};

/** Creates the error of a redirect. */
export const redirectError = ({ operation, label, status, headers }: ApiResponse): InvalidResponseError => {
  const { location } = headers;
  // A query or fragment may hold the secrets of others, such as the token of a login page.
  const target = location ? ` to ${oneLine(location.replace(/[?#].*/s, '')).slice(0, MAX_LOCATION)}` : '';
  return new InvalidResponseError(
    `${label} was redirected${target}. Redirects are refused because a followed one would carry the API key. Set \`baseUrl\` to the final URL.`,
    { operation, status },
  );
};

/** Creates the error of a status below 400 that is not 2xx. */
export const statusError = ({ operation, label, status }: ApiResponse): InvalidResponseError =>
  new InvalidResponseError(`${label} returned ${status}, a status that the API does not use.`, {
    operation,
    status,
  });
