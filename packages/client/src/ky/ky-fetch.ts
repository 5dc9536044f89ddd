import type { KyInstance } from 'ky';
import ky from 'ky';
import { ConfigurationError } from '../errors/index.ts';
import type { Fetch } from '../options/client-options.ts';
import type { Send } from './attempt.ts';
import { createAttempt } from './attempt.ts';

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
  let send: Send | undefined;
  instance.extend((defaults) => {
    send = defaults.fetch;
    return {};
  });

  return async (url, init) => {
    const { options, finish, explain } = createAttempt(init, send);
    try {
      return finish(await instance(url, options));
    } catch (error) {
      throw explain(error);
    }
  };
};
