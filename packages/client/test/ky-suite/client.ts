import ky from 'ky';
import type { ClientOptions, Confab } from '../../../client/src/index.ts';
import { createClient as create } from '../../../client/src/index.ts';
import { kyFetch } from '../../src/ky/index.ts';

// This path differs from the one in the tests, which leads to this module.
export * from '../../../client/src/index.ts';

/** Lets a test's `fetch`, which expects a URL and options, serve as the `fetch` of a ky instance. */
const fromRequest =
  (
    send: typeof globalThis.fetch,
  ): ((input: string | URL | Request, rest?: RequestInit) => Promise<Response>) =>
  async (input, rest) => {
    const { url, method, headers, signal, body } = input as Request;
    return send(url, {
      ...rest,
      method,
      headers,
      signal,
      ...(body === null ? {} : { body: await new Response(body).text() }),
    });
  };

/** Replaces the client's `createClient`, and sends each attempt through ky. */
export const createClient = (options: ClientOptions = {}): Confab => {
  const fetch = options?.fetch ?? globalThis.fetch;
  // Invalid options and runtimes without a `fetch` are left to the client.
  if (Object.getPrototypeOf(options ?? 0) !== Object.prototype || typeof fetch !== 'function') {
    return create(options);
  }
  return create({
    ...options,
    fetch:
      fetch === globalThis.fetch
        ? kyFetch()
        : kyFetch(ky.create({ fetch: fromRequest(fetch as typeof globalThis.fetch) })),
  });
};
