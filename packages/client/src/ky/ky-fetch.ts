import type { BeforeRequestHook, InitHook, KyInstance, Options } from 'ky';
import ky, { isForceRetryError, isNetworkError } from 'ky';
import { ConfigurationError } from '../errors/index.ts';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import { rethrowForFramework } from '../secrecy/framework-error.ts';

/** The options that the client decides, whatever the instance and its `init` hooks set. */
const PINNED = {
  // Two retry loops would multiply their attempts, and ky does not know which requests may be retried.
  retry: 0,
  timeout: false,
  totalTimeout: false,
  // The client reads the response of an error itself.
  throwHttpErrors: false,
  // A followed redirect would carry the key to another host.
  redirect: 'manual',
  prefix: '',
  json: undefined,
} as const;

/** Creates the failure of a hook or an option, which must not count as a failure of the connection. */
const toHookFailure = (error: unknown, status: number | undefined): MiddlewareFailure => {
  const refused = isForceRetryError(error);
  const message = [
    status === undefined ? 'was not sent, because' : `returned ${status}, but`,
    refused
      ? 'a hook of the ky instance returned `ky.retry()`. Only the client retries: set its `retry` option instead'
      : 'the ky instance failed',
  ].join(' ');
  return new MiddlewareFailure({ kind: 'middleware', message, refused, status }, refused ? undefined : error);
};

/**
 * Sends one attempt. Neither the options nor the hooks of the instance can retry it, end it early or follow a redirect.
 */
const sendOnce = async (
  instance: KyInstance,
  url: string,
  { method, headers, body, signal }: RequestInit,
): Promise<Response> => {
  /** The request of ky, before hooks replace it. */
  let original: Request | undefined;
  let isSent = false;
  let received: Response | undefined;
  let lost: unknown;

  /** Runs after the `init` hooks of the instance, so that none of them can override these settings. */
  const pin: InitHook = (options) => {
    const { fetch = globalThis.fetch, signal: instanceSignal } = options;
    const transmit: typeof fetch = async (input, rest) => {
      isSent = true;
      const hookSignal = input === original ? instanceSignal : (input as Request).signal;
      // Combining signals would double the time that ky takes.
      const ends = signal && hookSignal ? AbortSignal.any([signal, hookSignal]) : (signal ?? hookSignal);
      // A hook may have made a request that follows redirects, or that nothing aborts.
      const request = new Request(input, { redirect: 'manual', signal: ends ?? null });
      try {
        received = await fetch(request, rest);
      } catch (error) {
        lost = error;
        throw error;
      }
      return received;
    };
    const { beforeRequest = [], ...hooks } = options.hooks ?? {};
    const keep: BeforeRequestHook = ({ request }) => {
      original = request;
    };
    Object.assign(options, PINNED, {
      method,
      body,
      fetch: transmit,
      hooks: { ...hooks, beforeRequest: [keep, ...beforeRequest] },
    });
  };

  try {
    const response = await instance(url, { method, headers, hooks: { init: [pin] } } as Options);
    // ky or a hook may have replaced the response.
    return received?.redirected && !response.redirected
      ? Object.defineProperty(response, 'redirected', { value: true })
      : response;
  } catch (error) {
    rethrowForFramework(lost);
    rethrowForFramework(error);
    if (received !== undefined || !isSent) {
      throw toHookFailure(error, received?.status);
    }
    // ky's own error contains the whole URL. The error of a `beforeError` hook may have the code of a different request.
    throw error === lost || isNetworkError(error)
      ? lost
      : new Error(String((error as Error | undefined)?.message), { cause: lost });
  }
};

/**
 * Returns a `fetch` for {@link createClient} that sends each attempt through a ky instance. Use the instance's hooks,
 * `context`, `headers` and `fetch` for tracing headers, request signing and proxies.
 *
 * The client still decides when to retry, when to give up and which response is an error. It therefore ignores these
 * options of the instance, also when an `init` hook sets them: `retry`, `timeout`, `totalTimeout`, `throwHttpErrors`,
 * `redirect`, `prefix`, `method`, `body` and `json`.
 *
 * | Hook | May | If it throws |
 * |---|---|---|
 * | `init` | change the other options | {@link ConfigurationError}: nothing was sent |
 * | `beforeRequest` | change or replace the request, or respond itself | {@link ConfigurationError}: nothing was sent |
 * | `afterResponse` | replace the response, which the client then checks | {@link InvalidResponseError} |
 * | `afterResponse`, by `ky.retry()` | nothing: only the client retries | {@link ConfigurationError} |
 * | `beforeError`, after a lost connection | replace the `cause` of {@link ConnectionError} | the same: the client retries as usual |
 * | `beforeRetry` | never runs | |
 *
 * The client does not retry a request after a hook has failed. Hooks run once per attempt, within its `timeout`, and
 * receive the request with the API key. A hook that reads a body reads all of it: `maxResponseBytes` applies only to the
 * client's own reading.
 *
 * @param instance The ky instance; by default ky itself.
 * @throws A {@link ConfigurationError} when `instance` is not a ky instance.
 * @example
 * ```ts
 * import { createClient } from '@confab/client';
 * import { kyFetch } from '@confab/client/ky';
 * import ky from 'ky';
 *
 * const traced = ky.create({
 *   hooks: {
 *     beforeRequest: [({ request }) => request.headers.set('x-request-id', crypto.randomUUID())],
 *   },
 * });
 * const confab = createClient({ fetch: kyFetch(traced) });
 * ```
 */
export const kyFetch = (
  instance: KyInstance = ky,
): ((url: string, init: RequestInit) => Promise<Response>) => {
  if (typeof instance !== 'function' || typeof instance.extend !== 'function') {
    throw new ConfigurationError(
      'kyFetch must be called with a ky instance: `ky` itself, or the result of `ky.create()` or `ky.extend()`.',
    );
  }
  return (url, init) => sendOnce(instance, url, init);
};
