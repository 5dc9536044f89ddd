import type { BeforeErrorHook, BeforeRequestHook, InitHook, Options } from 'ky';
import { isForceRetryError, isNetworkError } from 'ky';
import { ConfigurationError } from '../errors/index.ts';
import { MiddlewareFailure } from '../errors/middleware-failure.ts';
import type { Phase } from './hook-failure.ts';
import { asError, nameOf, thrownByBeforeError, watchHooks } from './hook-failure.ts';

/** The `fetch` of a ky instance. */
export type Send = NonNullable<Options['fetch']>;

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

/** The platform's `fetch`, read for each request because tools replace it. */
const platformFetch: Send = (input, init) => globalThis.fetch(input as Request, init);

const either = (first: AbortSignal | null | undefined, second: AbortSignal | null | undefined) =>
  first && second ? AbortSignal.any([first, second]) : (first ?? second);

/** An attempt that ky makes. */
export interface Attempt {
  /** Options for ky. */
  readonly options: Options;
  /** Marks a response as redirected if ky or a hook has lost that mark. */
  readonly finish: (response: Response) => Response;
  /** Returns the error that `fetch` would have rejected with, or a {@link MiddlewareFailure}. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * Prepares one attempt, so that neither the options nor the hooks of an instance can repeat it, end it early or follow a
 * redirect.
 *
 * @param send The `fetch` of the instance.
 */
export const createAttempt = (init: RequestInit, send: Send = platformFetch): Attempt => {
  // ky would combine the signal with its own, which takes as long as everything else that it does.
  const { signal: own, method, headers, body } = init;
  let signal = own;
  /** The request as ky made it, if hooks may replace it. */
  let made: Request | undefined;
  let followed = false;
  /** True once the request was passed to a `fetch`. */
  let reached = false;
  let status: number | undefined;
  let failure: { readonly error: Error; readonly message: string } | undefined;
  /** The kind of the hook that threw last. Until ours has run, those of `init` run. */
  let phase: Phase | undefined = 'init';

  /** Sends nothing. ky calls it only if our `init` hook did not run. */
  const refuse: Send = async () => {
    phase = undefined;
    throw new ConfigurationError(
      'kyFetch sent nothing, because its `init` hook did not run. Use ky 2, and keep the hooks in `options.hooks.init`.',
    );
  };

  const transmit = async (fetch: Send, input: Request, rest: RequestInit | undefined): Promise<Response> => {
    const options: RequestInit = {
      ...rest,
      // The request of a hook may follow redirects.
      redirect: 'manual',
      signal: (made === undefined || input === made ? signal : either(signal, input.signal)) ?? null,
    };
    // Another `fetch` may ignore the options. A request of another implementation cannot be copied here.
    const copies = fetch !== platformFetch && input instanceof Request;
    reached = true;
    const response = await fetch(copies ? new Request(input, options) : input, options);
    status = response.status;
    followed = response.redirected;
    return response;
  };

  const guard: BeforeRequestHook = ({ request, options }) => {
    made = request;
    // Hooks receive the object that ky reads, and could raise its `limit`.
    Object.freeze(options.retry);
  };

  const remember: BeforeErrorHook = ({ error }) => {
    failure = { error, message: error.message };
    return error;
  };

  const noteFailure = (of: Phase) => () => {
    phase = of;
  };

  /** Runs after the `init` hooks of the instance, so that none of them has the last word. */
  const pin: InitHook = (options) => {
    phase = undefined;
    const fetch = options.fetch === refuse || options.fetch === undefined ? send : options.fetch;
    const { hooks } = options;
    const beforeRequest = watchHooks(hooks?.beforeRequest, noteFailure('beforeRequest'));
    signal = either(own, options.signal);
    Object.assign(options, PINNED, {
      method,
      body,
      fetch: (input: Request, rest?: RequestInit) => transmit(fetch, input, rest),
      hooks: {
        ...hooks,
        beforeRequest: beforeRequest.length > 0 ? [guard, ...beforeRequest] : beforeRequest,
        afterResponse: watchHooks(hooks?.afterResponse, noteFailure('afterResponse')),
        beforeError: [remember, ...watchHooks(hooks?.beforeError, noteFailure('beforeError'))],
      },
    });
  };

  return {
    options: { method, headers, fetch: refuse, hooks: { init: [pin] } } as Options,

    finish: (response) =>
      followed && !response.redirected
        ? Object.defineProperty(response, 'redirected', { value: true })
        : response,

    explain(error) {
      const before = status === undefined ? 'was not sent, because' : `returned ${status}, but`;
      // A `beforeError` hook may have replaced ky's error.
      if (isForceRetryError(error) || isForceRetryError(failure?.error)) {
        const message = `${before} ${nameOf('afterResponse')} returned \`ky.retry()\`. Only the client retries: set its \`retry\` option instead`;
        return new MiddlewareFailure({ kind: 'middleware', message, refused: true, status }, undefined);
      }
      if (!reached || status !== undefined) {
        const message = `${before} ${nameOf(phase)} failed`;
        const blame =
          status === undefined ? ({ refused: true, status } as const) : ({ refused: false, status } as const);
        return new MiddlewareFailure({ kind: 'middleware', message, ...blame }, asError(error));
      }
      if (phase === 'beforeError') {
        return thrownByBeforeError(error);
      }
      // ky's message contains the whole URL. One that a hook has written stays.
      const untouched = error === failure?.error && failure?.error.message === failure?.message;
      return isNetworkError(error) && untouched ? error.cause : error;
    },
  };
};
