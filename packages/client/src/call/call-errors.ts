import { oneLine } from '@confab/internal';
import type { OperationName } from '../contract/types.ts';
import type { ConfabError } from '../errors/index.ts';
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
import type { ClientSettings } from '../options/resolve-options.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { AcquireRefusal } from '../rate-limit/queue.ts';
import { isBrowser } from '../runtime/runtime.ts';
import { describeCause, innermost } from '../secrecy/safe-cause.ts';
import { describeBody, redactBody } from './describe-body.ts';
import type { Outcome, ReceivedOutcome, RequestEnd } from './outcome.ts';
import type { RunningRequest } from './types.ts';

/** Writes a duration, such as `120 s`, `1.5 s` or `250 ms`: exactly, but for fractions of a millisecond. */
export const formatDuration = (ms: number): string =>
  ms < 1_000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms) / 1_000} s`;

/** The parts of a failed call that messages about an unknown outcome and the time need. */
interface FailedCall {
  readonly operation: Pick<RunningRequest['operation'], 'idempotent'>;
  readonly request: Pick<RunningRequest['request'], 'operation' | 'label'>;
  readonly options: Pick<RunningRequest['options'], 'totalTimeout'>;
  readonly effort: Pick<RunningRequest['effort'], 'attempts' | 'mayHaveActed'>;
}

/** By operation, what the message of an error adds when the service may have acted on the request. */
const UNKNOWN_OUTCOMES: Partial<Record<OperationName, string>> = {
  'conversations.sendMessage':
    'The message may have been sent: read the conversation before you send it again',
  'leads.create': 'The lead may have been created: leads.ensure is safe to retry',
  'agents.invoke': 'The agent may have run: invoking it again only costs tokens',
};

/** Returns what the message of an error adds when the service may have acted on a request that does not only read. */
export const describeUnknownOutcome = ({ operation, request, effort }: FailedCall): string => {
  if (!effort.mayHaveActed) {
    return '';
  }
  const advice = operation.idempotent ? 'sending it again does no harm' : 'check before you send it again';
  return ` ${UNKNOWN_OUTCOMES[request.operation] ?? `The service may have acted: ${advice}`}.`;
};

/**
 * Creates the error of a call that exceeded its total timeout.
 *
 * @param waited How long the call was waiting in the queue when the time ended, and for what; undefined when it was not.
 */
export const createTotalTimeoutError = (call: FailedCall, waited?: string): TimeoutError => {
  const { operation, label } = call.request;
  const { attempts } = call.effort;
  const bound = `its total timeout of ${formatDuration(call.options.totalTimeout)}`;
  const init = { kind: 'total', operation, attempts } as const;
  if (attempts === 0 && waited === undefined) {
    const message = `${label} exceeded ${bound}: the \`apiKey\` or \`headers\` function has not returned, so nothing was sent.`;
    return new TimeoutError(message, init);
  }
  const what = waited
    ? `waited ${waited} until ${bound} ended, so ${attempts === 0 ? 'nothing was sent' : 'it was not sent again'}`
    : `did not end within ${bound}, after it was sent`;
  const advice = describeUnknownOutcome(call) || ' If it may take longer, raise `totalTimeout`.';
  return new TimeoutError(`${label} ${what}.${advice}`, init);
};

/** Characters of a `Location` header to show. */
const MAX_LOCATION = 200;

/** Returns the reason that the innermost error gives, with its code. */
const explainCause = (cause: Error): string => {
  const { message, code = '' }: Error & { readonly code?: string } = innermost(cause);
  // OpenSSL's message is long and says the same as its code. Deno's begins with the whole URL.
  const reason = /:SSL routines:/.test(message) ? '' : message.replace(/^.*client error \(Connect\): /, '');
  return reason.includes(code) ? reason : [code, reason].filter(Boolean).join(': ');
};

/** Characters of the service's text that an error keeps. */
const MAX_DETAIL = 1_000;
const MAX_CODE = 100;

const ERROR_CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
};

/**
 * Creates the error for a status of 400 or above. The status decides: the codes of 400, 404 and 409 are not published.
 */
const toApiError = (response: ReceivedOutcome, running: RunningRequest, baseUrl: string): ApiError => {
  const { status, headers, body, redact, text, rateLimit } = response;
  const { operation, label } = running.request;
  const { attempts } = running.effort;
  // Any other body is not an error envelope; it may be a proxy's page.
  const { success, error, code: apiCode } = Object(body);
  const isEnvelope = success === false && typeof error === 'string' && typeof apiCode === 'string';
  const code = isEnvelope ? oneLine(redact(apiCode, MAX_CODE)) : `HTTP_${status}`;
  const detail = isEnvelope ? oneLine(redact(error, MAX_DETAIL)) : undefined;
  const whatCame = text === undefined ? '; the body was cut off' : `: ${describeBody(response)}`;
  let message = `${label} failed with ${status}${isEnvelope ? ` ${code}: ${detail}` : whatCame}${attempts > 1 ? ` (attempt ${attempts})` : ''}`;
  const { retryAfterMs } = rateLimit;
  // A `Retry-After` of 0 never ends a call; the retry limit or the timeout does.
  if (status === 429 && retryAfterMs) {
    const { retry } = running.options;
    const exceeded = retry && retryAfterMs > retry.maxRetryAfter ? 'retry.maxRetryAfter' : 'totalTimeout';
    message += ` (retry after ${formatDuration(retryAfterMs)}${retry ? `, longer than \`${exceeded}\` allows` : ''})`;
  }
  // A 401 with a different code may be about an account, for example.
  const keyHint =
    status === 401 && code.startsWith('API_KEY_')
      ? ` Check CONFAB_API_KEY or \`apiKey\`: does it belong to ${redact(baseUrl)}?`
      : '';
  const advice = keyHint + describeUnknownOutcome(running);
  message = advice ? message.replace(/\.?$/, () => `.${advice}`) : message;

  const init = { status, code, detail, operation, attempts, headers, body: redactBody(response) };
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

/** Creates the error of an unsuccessful response. */
const toStatusError = (response: ReceivedOutcome, running: RunningRequest, baseUrl: string): ConfabError => {
  const { status, headers, redirected } = response;
  const { operation, label } = running.request;
  if (!redirected) {
    return status >= 400
      ? toApiError(response, running, baseUrl)
      : new InvalidResponseError(
          `${label} returned ${status}, which the API does not use.${describeUnknownOutcome(running)}`,
          { operation, status },
        );
  }
  // A query or fragment may hold the secrets of others, such as the token of a login page.
  const location = oneLine((headers.location ?? '').replace(/[?#].*/s, '')).slice(0, MAX_LOCATION);
  return new InvalidResponseError(
    `${label} was redirected${location && ` to ${location}`}. A followed redirect would carry the API key. Set \`baseUrl\` to the final URL.${describeUnknownOutcome(running)}`,
    { operation, status },
  );
};

/** Creates the error of an attempt that ended without a whole response. */
const toAttemptError = (
  outcome: Exclude<Outcome, { kind: 'response' | 'aborted' | 'call-timeout' }>,
  running: RunningRequest,
  { baseUrl, maxResponseBytes, key: { redact } }: ClientSettings,
): ConfabError => {
  const { operation, label } = running.request;
  const { attempts, mayHaveActed } = running.effort;
  const warning = describeUnknownOutcome(running);
  const tried = ` (attempt ${attempts})`;
  if (outcome.kind === 'attempt-timeout') {
    const message = `${label} received no complete response within ${formatDuration(running.options.timeout)}${tried}.${warning || ' If it may take longer, raise `timeout`.'}`;
    return new TimeoutError(message, { kind: 'attempt', operation, attempts });
  }
  if (outcome.kind === 'oversized') {
    const { status } = outcome;
    const message = `${label} returned ${status} with more than ${maxResponseBytes} bytes: raise \`maxResponseBytes\`.${warning}`;
    return new InvalidResponseError(message, { operation, status });
  }
  const { cause } = outcome;
  const reason = cause ? `: ${innermost(cause).message}` : '';
  if (outcome.kind === 'middleware') {
    const message = `${label} ${outcome.message}${reason}.${warning}`;
    const { refused, status } = outcome;
    return refused || status === undefined
      ? new ConfigurationError(message, { cause })
      : new InvalidResponseError(message, { operation, status, cause });
  }
  if (outcome.kind === 'broken') {
    const { status } = outcome;
    const message = `${label} returned ${status}, but the connection broke before the end of the body${tried}${reason}.${warning}`;
    return new InvalidResponseError(message, { operation, status, cause });
  }
  const origin = redact(new URL(baseUrl).origin);
  const init = { operation, attempts, cause };
  if (outcome.kind === 'unsent') {
    const why = `${outcome.failure.explain(origin)}${cause ? ` (${explainCause(cause)})` : ''}`;
    const times = attempts > 1 ? `, in ${attempts} attempts` : '';
    return new ConnectionError(
      `${label} was not sent${mayHaveActed ? ' again' : ''}: ${why}${times}.${warning}`,
      init,
    );
  }
  // A browser hides why `fetch` failed.
  const hint =
    isBrowser() && cause?.name === 'TypeError'
      ? " In a browser this may be CORS: the API must allow the page's origin."
      : '';
  return new ConnectionError(
    `${label} got no response from ${origin}${tried}${reason}.${hint}${warning}`,
    init,
  );
};

/** Creates the error of a call that the limiter has refused. */
const toRefusalError = (refusal: AcquireRefusal, running: RunningRequest, limiter: Limiter): ConfabError => {
  const { operation, label } = running.request;
  const { attempts } = running.effort;
  const what = `${label} was not sent${attempts === 0 ? '' : ' again'}`;
  const warning = describeUnknownOutcome(running);
  if (refusal.kind === 'store-failed') {
    const { cause } = refusal;
    const message = `${what}, because the rate-limit store failed: ${describeCause(cause)}. Check the store, or remove \`onStoreError: 'throw'\` to continue with this process's own count.${warning}`;
    return new RateLimitStoreError(message, { operation, attempts, cause });
  }
  const { retryAfterMs, bound } = refusal;
  const { limit, remaining } = limiter.snapshot();
  const message = `${what}: after a 429 the client is paused for another ${formatDuration(retryAfterMs)}, longer than \`${bound}\` allows.${warning}`;
  const init = { status: 429, code: 'RATE_LIMIT_EXCEEDED', detail: undefined, headers: {}, limit, remaining };
  return new RateLimitError(message, { ...init, operation, attempts, retryAfterMs });
};

/** Creates the error of a call that did not succeed. For an aborted call, it is the reason of its signal. */
export const toError = (
  end: RequestEnd,
  running: RunningRequest,
  settings: ClientSettings,
  limiter: Limiter,
): unknown => {
  switch (end.kind) {
    case 'paused':
    case 'store-failed':
      return toRefusalError(end, running, limiter);
    case 'response':
      return toStatusError(end, running, settings.baseUrl);
    case 'call-timeout':
      return createTotalTimeoutError(running);
    case 'aborted':
      return end.error;
    case 'unprepared': {
      const { error } = end;
      const again = running.effort.attempts === 0 ? '' : ' again';
      return error instanceof ConfigurationError
        ? new ConfigurationError(
            `${error.message} The request was not sent${again}.${describeUnknownOutcome(running)}`,
          )
        : error;
    }
    default:
      return toAttemptError(end, running, settings);
  }
};
