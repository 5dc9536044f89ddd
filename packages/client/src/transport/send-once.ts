import type { Fetch } from '../options/options.ts';
import type { Clock } from '../time/clock.ts';
import { startTimer } from '../time/clock.ts';
import { readText } from './read-body.ts';

/** What one attempt came to. Only an abort by the caller rejects. */
export type Outcome =
  | { readonly kind: 'response'; readonly response: Response; readonly text: string }
  | { readonly kind: 'timeout' }
  | {
      /** A success whose body is larger than allowed. */
      readonly kind: 'oversized';
      readonly status: number;
    }
  | {
      readonly kind: 'connection';
      readonly error: unknown;
      /** The status, when the connection broke after the headers. */
      readonly status?: number;
    };

export interface AttemptOptions {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** Milliseconds for headers and body. */
  readonly timeout: number;
  /** Most bytes of the body, decompressed. */
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly fetch: Fetch | undefined;
}

/** Sends a request once and reads the whole answer. */
export const attempt = async (options: AttemptOptions): Promise<Outcome> => {
  const { signal, clock, body, fetch } = options;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const timer = startTimer(clock, options.timeout, () =>
    controller.abort(new DOMException('The attempt has timed out', 'TimeoutError')),
  );

  // Raced, not only passed on: a `fetch` of the user's may not listen to its signal, and a body may stall after it.
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  let head: Response | undefined;
  const answer = async (): Promise<Outcome> => {
    // Called bare: browsers and Workers refuse a `fetch` that is called as a method of something else. The global one
    // is looked up late, so that whoever replaces it is met.
    const send = fetch ?? globalThis.fetch;
    const response = await send(options.url, {
      method: options.method,
      headers: options.headers,
      signal: controller.signal,
      // A followed redirect would carry the key to another host.
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    head = response;
    const { text, whole } = await readText(response, options.maxBytes);
    // The status of a refusal says enough.
    return whole || response.status >= 300
      ? { kind: 'response', response, text }
      : { kind: 'oversized', status: response.status };
  };

  try {
    if (signal.aborted) {
      throw signal.reason;
    }
    return await Promise.race([answer(), aborted]);
  } catch (error) {
    if (signal.aborted) {
      throw signal.reason;
    }
    // A refusal or redirect says enough by its head; of a success, the data are missing.
    if (head !== undefined && head.status >= 300) {
      return { kind: 'response', response: head, text: '' };
    }
    if (controller.signal.aborted) {
      return { kind: 'timeout' };
    }
    return head === undefined
      ? { kind: 'connection', error }
      : { kind: 'connection', error, status: head.status };
  } finally {
    timer.stop();
    signal.removeEventListener('abort', abort);
  }
};
