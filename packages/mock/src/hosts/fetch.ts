import { builtinModule, onAbort } from '@confab/internal';
import { MockError } from '../errors/mock-error.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { isBodiless, NETWORK_ERROR } from '../request/envelope.ts';
import { handle } from '../request/handle.ts';
import type { BaseUrl, IncomingRequest } from '../request/incoming-request.ts';
import { fromPlainArguments, fromRequest } from '../request/incoming-request.ts';
import { nextTurn } from '../world/clock/real-timers.ts';
import type { World } from '../world/world.ts';
import { checkOpen } from '../world/world.ts';

/** A function with the signature of `fetch` that sends every request to a mock. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Creates a `fetch` for one origin. It changes nothing global. */
export const createFetch =
  (world: World, { origin, prefix }: BaseUrl): MockFetch =>
  async (input, given) => {
    // Like the platform's fetch, it takes null for no options.
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
      // Clients recognize a network error of the platform's fetch by this class.
      throw new TypeError('fetch failed: the mock cut the connection');
    }
    // Like the platform's fetch, it reports the URL without its fragment.
    url.hash = '';
    return Object.defineProperty(toResponse(response, incoming), 'url', { value: url.href });
  };

/** Creates the stream of a body that is sent in pieces. Nothing is sent before somebody reads it. */
const streamOf = (
  pieces: NonNullable<ServiceResponse['pieces']>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> => {
  const gone = new AbortController();
  const sending = pieces(gone.signal);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      // As with a real connection, an abort also ends the reading of the body.
      signal?.throwIfAborted();
      const forget = signal && onAbort(signal, () => gone.abort(signal.reason));
      try {
        const { done, value } = await sending.next();
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (cause) {
        // With msw, the client sees no status if the body breaks off in the turn in which its first half was sent.
        await nextTurn();
        signal?.throwIfAborted();
        throw new TypeError('terminated: the mock cut the connection', { cause });
      } finally {
        forget?.();
      }
    },
    cancel: () => gone.abort(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
};

const { STATUS_CODES = {} } = (builtinModule('node:http') ?? {}) as {
  readonly STATUS_CODES?: Readonly<Record<number, string>>;
};

/** Turns the service's response into a `Response`. */
export const toResponse = (
  { status, headers, body, pieces }: ServiceResponse,
  { method, signal }: Pick<IncomingRequest, 'method' | 'signal'>,
): Response => {
  // Browsers have no list of status texts.
  const init = { status, statusText: STATUS_CODES[status] ?? '', headers };
  if (isBodiless(status, method)) {
    return new Response(null, init);
  }
  return new Response(pieces === undefined ? body : streamOf(pieces, signal), init);
};
