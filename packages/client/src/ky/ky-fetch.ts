import type { BeforeRequestState, InitHook, KyInstance, Options } from 'ky';
import ky, { isForceRetryError, isNetworkError } from 'ky';
import { ConfigurationError } from '../errors/index.ts';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { Fetch } from '../options/client-options.ts';

/** Settings that belong to the client, because a followed redirect or a second retry loop would harm its calls. */
const PINNED = {
  json: undefined,
  prefix: '',
  redirect: 'manual',
  retry: 0,
  throwHttpErrors: false,
  timeout: false,
  totalTimeout: false,
} as const;

/** Returns what was thrown as an error: only errors can be the cause of another. */
const asError = (thrown: unknown): Error & { readonly code?: unknown } => {
  if (thrown instanceof Error) {
    return thrown;
  }
  const shown = typeof thrown === 'string' ? JSON.stringify(thrown) : String(thrown);
  const what = Object(thrown) === thrown ? `a value of type ${typeof thrown}` : shown;
  return new Error(`it threw ${what}, which is not an Error`);
};

/** Sends one attempt. Neither the options nor the hooks of the instance can repeat it, end it early or follow a redirect. */
const sendOnce = async (
  instance: KyInstance,
  url: string,
  { method, headers, body, signal }: RequestInit,
): Promise<Response> => {
  /** The kind of the hook that has failed, with its article. Until our own `init` hook runs, those of the instance do. */
  let failed: 'an `init`' | 'a `beforeRequest`' | 'an `afterResponse`' | 'a `beforeError`' | undefined =
    'an `init`';
  /** The request as ky made it. */
  let made: Request | undefined;
  let isSent = false;
  let received: Response | undefined;
  let asksForRetry = false;
  let message: string | undefined;

  const watched = <State, Result>(
    kind: typeof failed,
    hooks: readonly ((state: State) => Result | Promise<Result>)[] = [],
  ) =>
    hooks.map((hook) => async (state: State) => {
      try {
        return await hook(state);
      } catch (error) {
        failed = kind;
        throw error;
      }
    });

  /** Runs after the `init` hooks of the instance, so that none of them has the last word. */
  const pin: InitHook = (options) => {
    failed = undefined;
    const { fetch = globalThis.fetch, hooks = {}, signal: theirs } = options;
    const transmit: typeof fetch = async (input, rest) => {
      isSent = true;
      const request = input as Request;
      // Combining signals takes as long as everything else that ky does.
      const signals = [signal, theirs, request === made ? undefined : request.signal].filter(
        (each) => each instanceof AbortSignal,
      );
      const ends = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      // A hook may have made a request that follows redirects, or that nothing aborts.
      received = await fetch(new Request(request, { redirect: 'manual', signal: ends ?? null }), rest);
      return received;
    };
    Object.assign(options, PINNED, {
      ...{ method, body, fetch: transmit },
      hooks: {
        beforeRequest: [
          ({ request, options }: BeforeRequestState) => {
            made = request;
            // Hooks receive the object that ky reads, and could raise its `limit`.
            Object.freeze(options.retry);
          },
          ...watched('a `beforeRequest`', hooks.beforeRequest),
        ],
        afterResponse: watched('an `afterResponse`', hooks.afterResponse),
        beforeError: [
          ({ error }: { readonly error: Error }) => {
            asksForRetry = isForceRetryError(error);
            message = error.message;
            return error;
          },
          ...watched('a `beforeError`', hooks.beforeError),
        ],
      },
    });
  };

  const explain = (error: unknown): unknown => {
    const status = received?.status;
    const doing = status === undefined ? 'was not sent, because' : `returned ${status}, but`;
    const who = `${failed === undefined ? 'the' : `${failed} hook of the`} ky instance`;
    if (asksForRetry) {
      const message = `${doing} an \`afterResponse\` hook of the ky instance returned \`ky.retry()\`. Only the client retries: set its \`retry\` option instead`;
      return new MiddlewareFailure({ kind: 'middleware', message, refused: true, status }, undefined);
    }
    if (status !== undefined || !isSent) {
      const blame =
        status === undefined ? ({ refused: true, status } as const) : ({ refused: false, status } as const);
      const message = `${doing} ${who} failed`;
      return new MiddlewareFailure({ kind: 'middleware', message, ...blame }, asError(error));
    }
    if (failed === 'a `beforeError`') {
      const { message: reason, code } = asError(error);
      return Object.assign(new Error(`${who} failed: ${reason}`), { code });
    }
    // ky's message contains the whole URL. One that a hook has written stays.
    return isNetworkError(error) && error.message === message ? error.cause : error;
  };

  try {
    const response = await instance(url, { method, headers, hooks: { init: [pin] } } as Options);
    // ky or a hook may have made another response.
    return received?.redirected && !response.redirected
      ? Object.defineProperty(response, 'redirected', { value: true })
      : response;
  } catch (error) {
    throw explain(error);
  }
};

/**
 * Returns a `fetch` for {@link createClient} that sends each attempt through a ky instance. Use the instance's hooks,
 * `context`, `headers` and `fetch` for tracing headers, request signing and proxies.
 *
 * The client still decides when to retry, when to give up and which response is an error. It therefore ignores these
 * options of the instance, also when an `init` hook sets them: `retry`, `timeout`, `totalTimeout`, `throwHttpErrors`,
 * `redirect`, `prefix`, `method`, `body` and `json`. `beforeRetry` hooks never run.
 *
 * A hook that throws before the request is sent fails the call with {@link ConfigurationError}, and one that throws after
 * the response fails it with {@link InvalidResponseError}. An `afterResponse` hook that returns `ky.retry()` fails it with
 * {@link ConfigurationError}. The client does not repeat such a call. After a lost connection, a `beforeError` hook may
 * throw or return another error: the client retries as usual, and this error becomes the `cause` of its
 * {@link ConnectionError}.
 *
 * Hooks run once per attempt, within its `timeout`, and receive the request with the API key. The client checks the
 * response that the last `afterResponse` hook returns. A hook that reads a body reads all of it: `maxResponseBytes`
 * applies only to the client's own reading.
 *
 * @param instance The ky instance. Default, also for undefined: ky itself.
 * @throws {@link ConfigurationError} When `instance` is not a ky instance.
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
export const kyFetch = (instance: KyInstance = ky): Fetch => {
  if (typeof instance !== 'function' || typeof instance.extend !== 'function') {
    throw new ConfigurationError(
      'kyFetch must be called with a ky instance: `ky` itself, or the result of `ky.create()` or `ky.extend()`.',
    );
  }
  return (url, init) => sendOnce(instance, url, init);
};
