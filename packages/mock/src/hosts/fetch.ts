import { builtinModule } from '@confab/internal';
import { MockError } from '../errors/mock-error.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { isBodiless, NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { BaseUrl, IncomingRequest } from '../request/incoming-request.ts';
import { fromRequest, MAX_BODY_BYTES, targetOf } from '../request/incoming-request.ts';
import { linkedTo } from '../world/clock/abort.ts';
import { turn } from '../world/clock/timers.ts';
import type { World } from '../world/world.ts';
import { checkOpen } from '../world/world.ts';

/** A function with the signature of `fetch` that sends every request to a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The {@link IncomingRequest} for simple arguments, without the cost of a `Request`, which halves the rate of the mock. */
const fromPlainArguments = (url: URL, init: RequestInit, prefix: string): IncomingRequest | undefined => {
  const { method = 'GET', signal, headers: given, body: sent, redirect = 'follow', ...others } = init;
  // The client sends null for no body.
  const body = sent ?? '';
  const isPlain =
    typeof body === 'string' &&
    // A UTF-16 unit takes at most three bytes, so few bodies have to be measured.
    body.length * 3 <= MAX_BODY_BYTES &&
    // Half of a character is not sent as it is.
    !/\p{Surrogate}/u.test(body) &&
    (method === 'GET' ? body === '' : /^(?:POST|PATCH)$/.test(method)) &&
    /^(?:follow|manual|error)$/.test(redirect) &&
    Object.keys(others).length === 0;
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
    body: () => body,
  };
};

/** Creates a `fetch` for one origin, which touches nothing global. */
export const createFetch =
  (world: World, { origin, prefix }: BaseUrl): MockFetch =>
  async (input, given) => {
    // As the platform's fetch, it takes null for no options.
    const init = given ?? {};
    const isRequest = typeof input === 'object' && 'url' in input;
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
      checkOpen(world, 'A client of this mock made a request');
      // As the platform's fetch reports a network error: clients tell it from other errors by its class.
      throw new TypeError('fetch failed: the mock cut the connection');
    }
    // As the platform's fetch, it tells the URL without its fragment.
    url.hash = '';
    return Object.defineProperty(toResponse(response, incoming), 'url', { value: url.href });
  };

/** The first half of a body, after which the connection breaks or stays silent. */
const half = (
  body: string,
  cutOff: NonNullable<ServiceResponse['cutOff']>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(body);
  const canceled = new AbortController();
  let isSent = false;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      // As with a real connection, an abort also ends the reading of the body.
      signal?.throwIfAborted();
      if (!isSent) {
        isSent = true;
        controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
        return;
      }
      const { controller: gone, release } = linkedTo(signal, canceled.signal);
      await cutOff(gone.signal);
      // The first half may have to pass through msw's socket before its reader sees a status.
      await turn();
      release();
      signal?.throwIfAborted();
      throw new TypeError('terminated: the mock cut the connection');
    },
    cancel: () => canceled.abort(),
  };
  // Nothing is done before somebody reads.
  return new ReadableStream(source, { highWaterMark: 0 });
};

const { STATUS_CODES = {} } = (builtinModule('node:http') ?? {}) as {
  readonly STATUS_CODES?: Readonly<Record<number, string>>;
};

/** Turns the service's response into a `Response`. */
export const toResponse = (
  { status, headers, body, cutOff }: ServiceResponse,
  { method, signal }: Pick<IncomingRequest, 'method' | 'signal'>,
): Response => {
  // Browsers have no texts for statuses, nor has HTTP/2.
  const init = { status, statusText: STATUS_CODES[status] ?? '', headers };
  if (isBodiless(status, method)) {
    return new Response(null, init);
  }
  return new Response(cutOff === undefined ? body : half(body, cutOff, signal), init);
};
