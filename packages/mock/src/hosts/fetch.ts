import { MockError } from '../errors/mock-error.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { isBodiless, NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { BaseUrl, IncomingRequest } from '../request/incoming-request.ts';
import { fromRequest, MAX_BODY_BYTES, readStream, targetOf } from '../request/incoming-request.ts';
import { turn } from '../world/clock/timers.ts';
import type { World } from '../world/world.ts';
import { checkOpen } from '../world/world.ts';

/** A function with the signature of `fetch` that sends every request to a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The {@link IncomingRequest} for simple arguments, without the cost of a `Request`, which halves the rate of the mock. */
const fromPlainArguments = (url: URL, init: RequestInit, prefix: string): IncomingRequest | undefined => {
  const { method = 'GET', signal, headers: given } = init;
  // The client sends null for no body.
  const body = init.body ?? '';
  const isPlain =
    typeof body === 'string' && (method === 'GET' ? body === '' : /^(?:POST|PATCH)$/.test(method));
  if (!isPlain || url.username !== '' || url.password !== '') {
    return undefined;
  }
  const headers = new Headers(given);
  return {
    ...targetOf(url, prefix),
    method,
    signal: signal ?? undefined,
    header: (name) => headers.get(name),
    headers: () => headers,
    // A UTF-16 unit takes at most three bytes, so few bodies have to be measured.
    body: () => (body.length * 3 <= MAX_BODY_BYTES ? body : readStream(new Blob([body]).stream())),
  };
};

/** Creates a `fetch` for one origin, which touches nothing global. */
export const createFetch =
  (world: World, { origin, prefix }: BaseUrl): MockFetch =>
  async (input, given) => {
    // As the platform's fetch, it takes null for no options.
    const init = given ?? {};
    const isRequest = typeof input !== 'string' && !(input instanceof URL);
    // Throws the platform's own error for an invalid URL.
    const url = new URL(isRequest ? input.url : input);
    if (url.origin !== origin) {
      throw new MockError(
        'WRONG_ORIGIN',
        `mock.fetch() handles requests to ${origin}, got one to ${url.origin}. Use mock.baseUrl as the base URL.`,
      );
    }
    const plain = isRequest ? undefined : fromPlainArguments(url, init, prefix);
    const incoming = plain ?? fromRequest(new Request(input, init), url, prefix);
    incoming.signal?.throwIfAborted();
    const response = await handle(world, incoming);
    if (response === NETWORK_ERROR) {
      checkOpen(world, 'mock.fetch()');
      // As the platform's fetch reports a network error: clients tell it from other errors by its class.
      throw new TypeError('fetch failed: the mock cut the connection');
    }
    return toResponse(response, incoming);
  };

/** The first half of a body, after which the connection breaks or stays silent. */
const half = (
  body: string,
  cutOff: NonNullable<ServiceResponse['cutOff']>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(body);
  const gone = new AbortController();
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
      const onAbort = () => {
        // As with a real connection, an abort also ends the reading of the body.
        controller.error(signal?.reason);
        gone.abort();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
    },
    // Called once the first half has been read.
    async pull(controller) {
      await cutOff(gone.signal);
      // The first half may have to pass through msw's socket before its reader sees a status.
      await turn();
      controller.error(new TypeError('terminated: the mock cut the connection'));
    },
    cancel: () => gone.abort(),
  });
};

/** Turns the service's response into a `Response`. */
export const toResponse = (
  { status, headers, body, cutOff }: ServiceResponse,
  { method, signal }: Pick<IncomingRequest, 'method' | 'signal'>,
): Response => {
  if (isBodiless(status, method)) {
    return new Response(null, { status, headers });
  }
  return new Response(cutOff === undefined ? body : half(body, cutOff, signal), { status, headers });
};
