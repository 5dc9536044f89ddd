import { oneLine } from '@confab/internal';
import type { ConfabError, RateLimitInfo } from '../errors/index.ts';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RateLimitStoreError,
  ServerError,
  TimeoutError,
} from '../errors/index.ts';
import type { RetryPolicy } from '../options/resolve-options.ts';
import type { AcquireRefusal } from '../rate-limit/queue.ts';
import { isBrowser } from '../runtime/runtime.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import { describeCause, innermost } from '../secrecy/safe-cause.ts';
import type { AttemptOutcome } from './attempt.ts';
import { isProgrammingError } from './connect-failure.ts';
import type { ApiRequest, ApiResponse } from './types.ts';

/** Writes a duration, such as `120 s` or `250 ms`, rounded up so that it is never too short. */
export const inWords = (ms: number): string =>
  ms < 1_000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 1_000)} s`;

/** Characters of a page's title, of a proxy's text or of a content type to quote. */
const MAX_QUOTED = 60;

/** Number of leading characters of a page to search for its title. */
const TITLE_SEARCH_LENGTH = 4_000;

/** Characters of a body that an error keeps. */
const MAX_KEPT = 10_000;

/** Returns the body for the `body` field of an error. */
export const bodyOf = ({ text, redact }: ApiResponse): string | undefined =>
  text === undefined ? undefined : redact(text, MAX_KEPT);

/**
 * Describes a body that is not the API's, in enough words to recognize a proxy. Messages end up in logs, and data may be
 * personal, so only the title of a page and the text of an error status are quoted.
 */
export const describeBody = ({ text = '', body, status, headers, redact }: ApiResponse): string => {
  if (text.trim() === '') {
    return status === 407 ? 'a proxy asks for credentials' : 'an empty body';
  }
  const quoted = (found: string) => JSON.stringify(oneLine(found.slice(0, MAX_QUOTED)));
  // Redacted first: the search would cut a key that contains `<`.
  const shown = redact(text, TITLE_SEARCH_LENGTH);
  const title = body === undefined && /<title[^<>]*>([^<]+)</i.exec(shown)?.[1]?.trim();
  if (title) {
    return `a page titled ${quoted(title)}`;
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (status >= 400 && body === undefined && /^(?:text\/plain)?$/i.test(type)) {
    return `a body that starts with ${quoted(shown.trimStart())}`;
  }
  return `${text.length} characters of ${body === undefined ? oneLine(type.slice(0, MAX_QUOTED)) || 'an unknown type' : 'JSON'}`;
};

type Names = Pick<ApiRequest, 'operation' | 'label'>;

/** Whether the service may have acted. */
interface Certainty {
  /** True when the service may have acted on a request that is not idempotent. */
  readonly mayHaveWritten: boolean;
  /** Left out when no option makes the client repeat the call. */
  readonly retry?: RetryPolicy | false;
}

/** Returns what the message of an error adds when the service may have acted. */
export const warningOf = ({ mayHaveWritten, retry }: Certainty): string => {
  const advice = retry === false || retry?.nonIdempotent === false ? ', or set `retry.nonIdempotent`' : '';
  return mayHaveWritten ? ` The service may have acted: check before you send it again${advice}.` : '';
};

/**
 * Creates the error of a call that exceeded its total timeout.
 *
 * @param attempts Number of attempts: 0 when nothing was sent.
 * @param details.wait What the call waited for, when it waited.
 */
export const totalTimeoutError = (
  { operation, label }: Names,
  totalTimeout: number,
  attempts: number,
  { wait, ...certainty }: Certainty & { readonly wait?: string | undefined },
): TimeoutError => {
  const sent = attempts === 0 ? 'nothing was sent' : 'it was not sent again';
  // A call that has left the queue, and was not sent, waits for a function of the user's.
  const isAsking = attempts === 0 && wait === undefined;
  const after = isAsking
    ? `: the \`apiKey\` or \`headers\` function has not returned, so ${sent}`
    : ' after it was sent';
  const what =
    wait === undefined
      ? `exceeded its total timeout of ${totalTimeout} ms${after}`
      : `waited ${wait} until its total timeout of ${totalTimeout} ms: ${sent}`;
  const hint = isAsking ? '' : ' For bulk work, raise `totalTimeout`.';
  const advice = (attempts > 0 && warningOf(certainty)) || hint;
  return new TimeoutError(`${label} ${what}.${advice}`, { kind: 'total', operation, attempts });
};

/** Creates the error of a call that the limiter has refused. */
export const refusalError = (
  refusal: AcquireRefusal,
  { operation, label }: Names,
  attempts: number,
  { limit, remaining }: Pick<RateLimitInfo, 'limit' | 'remaining'>,
  certainty: Certainty,
): RateLimitError | RateLimitStoreError => {
  const what = `${label} was not sent${attempts === 0 ? '' : ' again'}`;
  const warning = warningOf(certainty);
  if (refusal.refused === 'store-failed') {
    const { cause } = refusal;
    return new RateLimitStoreError(
      `${what}, because the rate-limit store failed: ${describeCause(cause)}. Check the store, or remove \`onStoreError: 'throw'\` to continue with this process's own count.${warning}`,
      { operation, attempts },
      cause,
    );
  }
  const { retryAfterMs } = refusal;
  return new RateLimitError(
    `${what}: after a 429 the client is paused for another ${inWords(retryAfterMs)}, longer than \`retry.maxRetryAfter\` or \`totalTimeout\` allows.${warning}`,
    {
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      detail: undefined,
      operation,
      attempts,
      headers: {},
      limit,
      remaining,
      retryAfterMs,
    },
  );
};

/** Creates the error of a call whose next attempt a function of the user's has prevented. */
export const notSentError = (
  { message }: ConfigurationError,
  attempts: number,
  certainty: Certainty,
): ConfigurationError =>
  new ConfigurationError(
    `${message} The request was not sent${attempts === 0 ? '' : ' again'}.${warningOf(certainty)}`,
  );

/** A call that ends here instead of being retried. */
export interface DecidedCall extends Required<Certainty> {
  readonly request: ApiRequest;
  readonly attempts: number;
  /** True when the service may have acted on an attempt before the last. */
  readonly mayHaveActedEarlier: boolean;
  /** The limit of an attempt in milliseconds. */
  readonly timeout: number;
  readonly baseUrl: string;
  readonly maxResponseBytes: number;
  readonly redact: Redact;
}

/** Characters of a `Location` header to show. */
const MAX_LOCATION = 200;

/** Returns the reason that the innermost error gives, with its code. */
const reasonOf = (cause: Error): string => {
  const { message, code = '' }: Error & { readonly code?: string } = innermost(cause);
  // OpenSSL's message is long and says the same as its code. Deno's begins with the whole URL.
  const reason = /:SSL routines:/.test(message) ? '' : message.replace(/^.*client error \(Connect\): /, '');
  return reason.includes(code) ? reason : [code, reason].filter(Boolean).join(': ');
};

/** Creates the error of an attempt that ended without a whole response. */
export const toError = (
  outcome: Exclude<AttemptOutcome, { kind: 'response' }>,
  call: DecidedCall,
): ConfabError => {
  const { request, attempts, timeout, baseUrl, maxResponseBytes, redact, mayHaveWritten } = call;
  const { operation, label } = request;
  const warning = warningOf(call);
  if (outcome.kind === 'timeout') {
    return new TimeoutError(
      `${label} received no complete response within ${timeout} ms (attempt ${attempts}).${warning}`,
      { kind: 'attempt', operation, attempts },
    );
  }
  const { status } = outcome;
  if (outcome.kind === 'oversized') {
    return new InvalidResponseError(
      `${label} returned ${status} with more than ${maxResponseBytes} bytes: raise \`maxResponseBytes\`.${warning}`,
      { operation, status: outcome.status },
    );
  }
  const { cause } = outcome;
  const reason = cause ? `: ${innermost(cause).message}` : '';
  if (outcome.kind === 'middleware') {
    const message = `${label} ${outcome.message}${reason}.${status ? warningOf({ mayHaveWritten }) : ''}`;
    return outcome.refused
      ? new ConfigurationError(message, {}, cause)
      : new InvalidResponseError(message, { operation, status: outcome.status, cause });
  }
  if (status !== undefined) {
    return new InvalidResponseError(
      `${label} returned ${status}, but the connection broke before the end of the body (attempt ${attempts})${reason}.${warning}`,
      { operation, status, cause },
    );
  }
  const origin = redact(new URL(baseUrl).origin);
  if (outcome.unsent !== undefined) {
    const why = `${outcome.unsent.explain(origin)}${cause ? ` (${reasonOf(cause)})` : ''}`;
    const times = attempts > 1 ? `, in ${attempts} attempts` : '';
    return new ConnectionError(`${label} was not sent${warning && ' again'}: ${why}${times}.${warning}`, {
      operation,
      attempts,
      cause,
    });
  }
  // A browser hides why `fetch` failed.
  const hint =
    isBrowser() && cause?.name === 'TypeError'
      ? " In a browser this may be CORS: the API must allow the page's origin."
      : '';
  const isHarmless = cause !== undefined && isProgrammingError(cause) && !call.mayHaveActedEarlier;
  const finalWarning = isHarmless ? '' : warningOf({ mayHaveWritten });
  return new ConnectionError(
    `${label} got no response from ${origin} (attempt ${attempts})${reason}.${hint}${outcome.final ? finalWarning : warning}`,
    { operation, attempts, cause },
  );
};

/** Creates the error of a redirect. */
export const redirectError = ({ operation, label, status, headers }: ApiResponse): InvalidResponseError => {
  const { location } = headers;
  // A query or fragment may hold the secrets of others, such as the token of a login page.
  const target = location ? ` to ${oneLine(location.replace(/[?#].*/s, '')).slice(0, MAX_LOCATION)}` : '';
  return new InvalidResponseError(
    `${label} was redirected${target}. A followed redirect would carry the API key. Set \`baseUrl\` to the final URL.`,
    { operation, status },
  );
};

/** Creates the error of a status below 400 that is not 2xx. */
export const statusError = ({ operation, label, status }: ApiResponse): InvalidResponseError =>
  new InvalidResponseError(`${label} returned ${status}, which the API does not use.`, {
    operation,
    status,
  });

/** Characters of the service's text that an error keeps. */
const MAX_DETAIL = 1_000;
const MAX_CODE = 100;

const ERROR_CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
};

/** Returns undefined for a body that is not an error envelope, such as a proxy's page. */
const readErrorEnvelope = (body: unknown): { readonly error: string; readonly code: string } | undefined => {
  const { success, error, code } = Object(body);
  return success === false && typeof error === 'string' && typeof code === 'string'
    ? { error, code }
    : undefined;
};

/**
 * Creates the error for a status of 400 or above. The status decides: the codes of 400, 404 and 409 are not published.
 */
export const toApiError = (response: ApiResponse, rateLimit: RateLimitInfo, call: DecidedCall): ApiError => {
  const { operation, label, attempts, status, headers, body, redact, text } = response;
  const data = readErrorEnvelope(body);
  const code = data === undefined ? `HTTP_${status}` : oneLine(redact(data.code, MAX_CODE));
  const detail = data && oneLine(redact(data.error, MAX_DETAIL));
  const whatCame = text === undefined ? '; the body was cut off' : `: ${describeBody(response)}`;
  const explanation = detail === undefined ? whatCame : ` ${code}: ${detail}`;
  const { retryAfterMs } = rateLimit;
  let message = `${label} failed with ${status}${explanation}${attempts > 1 ? ` (attempt ${attempts})` : ''}`;
  // One of 0 ends no call: the number of repeats or the time does.
  if (status === 429 && retryAfterMs) {
    const tooLong =
      call.retry && retryAfterMs > call.retry.maxRetryAfter ? 'retry.maxRetryAfter' : 'totalTimeout';
    message += ` (retry after ${inWords(retryAfterMs)}${call.retry ? `, longer than \`${tooLong}\` allows` : ''})`;
  }
  // A 401 may also be about an account, for example.
  const keyHint =
    status === 401 && code.startsWith('API_KEY_')
      ? ` Check CONFAB_API_KEY or \`apiKey\`: is it a key of ${redact(call.baseUrl)}?`
      : '';
  // 408: the service stopped waiting for the rest of a request, but may have acted on what it had read. Other statuses
  // below 500 mean that this request was refused, but say nothing about earlier ones.
  const mayHaveActed = status >= 500 || status === 408 || call.mayHaveActedEarlier;
  const advice = keyHint + (mayHaveActed ? warningOf(call) : '');
  message = advice ? message.replace(/\.?$/, () => `.${advice}`) : message;

  const init = { status, code, detail, operation, attempts, headers, body: bodyOf(response) };
  if (status === 403) {
    const missingScope = /\b(?:read|write):[\w.-]*\w/.exec(detail ?? '')?.[0];
    return new PermissionError(message, { ...init, missingScope });
  }
  if (status === 429) {
    return new RateLimitError(message, { ...init, ...rateLimit });
  }
  const ErrorClass = status >= 500 ? ServerError : (ERROR_CLASSES[status] ?? ApiError);
  return new ErrorClass(message, init);
};
