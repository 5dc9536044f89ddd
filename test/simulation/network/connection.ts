import type { Fate } from './fate.ts';

/** A whole response, as the service sent it. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Milliseconds between the two parts of a response that arrives in parts. */
export const SPLIT_MS = 40;

/** The error of a connection that broke. */
export const broken = (what: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(what), { code: 'ECONNRESET' }) });

/** The body of a response that does not arrive at once. */
export interface Parts {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Sends the rest. */
  finish(): void;
  /** Breaks the connection. */
  fail(error: unknown): void;
}

/** Sends the first half of a body. */
export const sendHalf = (body: string): Parts => {
  const bytes = new TextEncoder().encode(body);
  const half = bytes.length >>> 1;
  let over = false;
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(started) {
      controller = started;
      if (half > 0) {
        started.enqueue(bytes.slice(0, half));
      }
    },
    cancel() {
      over = true;
    },
  });
  const end = (how: () => void) => {
    if (!over) {
      over = true;
      how();
    }
  };
  return {
    stream,
    finish: () =>
      end(() => {
        controller?.enqueue(bytes.slice(half));
        controller?.close();
      }),
    fail: (error) => end(() => controller?.error(error)),
  };
};

/** The words of a fate, for the trace. */
export const fateText = ({ request, response, duplicateMs }: Fate): string =>
  `${request === 'arrives' ? '' : ` request ${request}`}${response === 'arrives' ? '' : ` response ${response}`}${duplicateMs === undefined ? '' : ' duplicated'}`;
