import { sign } from '@confab/webhooks';
import { linkedTo, unlessAborted } from '../clock/abort.ts';
import type { WorldClock } from '../clock/clock.ts';
import { untilEndOfCalendar } from '../clock/clock.ts';
import type { Attempt } from './delivery.ts';
import type { CompleteEndpoint } from './endpoints.ts';

/** How many errors of a chain of causes are read. */
const MAX_LINKS = 8;

/** Characters to keep: a receiver within this process may throw an error of any length. */
const MAX_LENGTH = 500;

interface ErrorLike {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

const isErrorLike = (value: unknown): value is ErrorLike => typeof value === 'object' && value !== null;

/** The errors behind an error: its cause, or the failed attempts, one per address of the host. */
const behind = ({ cause, errors }: ErrorLike): unknown[] => [
  ...(cause === undefined ? [] : [cause]),
  ...(Array.isArray(errors) ? errors : []),
];

/** The message of an error, with its system code if the message lacks it. */
const said = (error: unknown): string => {
  if (!isErrorLike(error)) {
    return String(error);
  }
  const { message, code } = error;
  const text = typeof message === 'string' ? message : '';
  if (text === 'bad port') {
    return 'fetch refuses this port, as browsers do. Use another port.';
  }
  if (typeof code !== 'string' || text.includes(code)) {
    return text;
  }
  return text === '' ? code : `${text} (${code})`;
};

/**
 * Says why an attempt got no response: `TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:8080`.
 *
 * The platform's `fetch` reports only that it failed, with the reason in a chain of causes.
 */
export const failureOf = (error: unknown): string => {
  const parts: string[] = [];
  const links: unknown[] = [error];
  for (let at = 0; at < Math.min(links.length, MAX_LINKS); at += 1) {
    const link = links[at];
    const text = said(link);
    if (text !== '' && !parts.includes(text)) {
      parts.push(text);
    }
    if (isErrorLike(link)) {
      links.push(...behind(link).filter((next) => !links.includes(next)));
    }
  }
  const name = isErrorLike(error) && typeof error.name === 'string' ? `${error.name}: ` : '';
  return `${name}${parts.join(': ') || 'no reason was given'}`.slice(0, MAX_LENGTH);
};

/** Admits a limited number of users at a time, in the order of their arrival. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a slot. Resolves to a function that returns it.
   *
   * @throws The signal's reason, when it aborts.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await this.#turn(signal);
    }
    return this.#giveBack;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.delete(onTurn);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(onTurn);
    });
  }

  /** Passes the slot on directly, so that nobody who arrives later can take it first. */
  readonly #giveBack = (): void => {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  };
}

/** Discards the body of a response, which is never read. It does not matter whether that fails. */
const discard = async (response: Response): Promise<void> => {
  try {
    await response.body?.cancel();
  } catch {}
};

/** What is delivered. */
export interface Message {
  /** The id for schemes that sign one. Every delivery of one event has the same id. */
  readonly id: string;
  readonly body: string;
}

/** The headers of a delivery. Those of the signature replace the user's, whatever their case. */
const headersOf = (
  endpoint: Pick<CompleteEndpoint, 'headers' | 'idHeader'>,
  id: string,
  signed: Readonly<Record<string, string>>,
): Headers => {
  const headers = new Headers({ 'content-type': 'application/json', ...endpoint.headers });
  if (endpoint.idHeader !== undefined) {
    headers.set(endpoint.idHeader, id);
  }
  for (const [name, value] of Object.entries(signed)) {
    headers.set(name, value);
  }
  return headers;
};

/** Signs a body and delivers it, in a single attempt. */
export class Courier {
  readonly #clock: WorldClock;
  /** Separate for each endpoint, so that a slow receiver delays only its own deliveries. */
  readonly #slots = new WeakMap<CompleteEndpoint, Slots>();
  /** Signing is asynchronous, and events still have to leave in order. */
  #departures: Promise<void> = Promise.resolve();

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  /** @throws The signal's reason, when it aborts. The attempt reports every other problem. */
  async attempt(endpoint: CompleteEndpoint, message: Message, signal: AbortSignal): Promise<Attempt> {
    const giveBack = await this.#slotsOf(endpoint).take(signal);
    try {
      return await this.#attempt(endpoint, message, signal);
    } finally {
      giveBack();
    }
  }

  #slotsOf(endpoint: CompleteEndpoint): Slots {
    const slots = this.#slots.get(endpoint) ?? new Slots(endpoint.concurrency);
    this.#slots.set(endpoint, slots);
    return slots;
  }

  async #attempt(endpoint: CompleteEndpoint, message: Message, signal: AbortSignal): Promise<Attempt> {
    let at = this.#clock.now();
    let signature: Attempt['signature'] = {};
    try {
      signature = await this.#depart(endpoint, message);
      const headers = headersOf(endpoint, message.id, signature);
      signal.throwIfAborted();
      at = this.#clock.now();
      const status = await this.#exchange(endpoint, message.body, headers, signal);
      return { at, durationMs: this.#clock.now() - at, status, signature, error: undefined };
    } catch (error) {
      signal.throwIfAborted();
      const durationMs = this.#clock.now() - at;
      return { at, durationMs, status: undefined, signature, error: failureOf(error) };
    }
  }

  /** Signs a body, and waits until all earlier ones have left. */
  async #depart(
    { secret, signature }: CompleteEndpoint,
    { id, body }: Message,
  ): Promise<Readonly<Record<string, string>>> {
    const idle = this.#clock.hold('work');
    const before = this.#departures;
    let leave = () => {};
    this.#departures = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      const timestamp = Math.floor(this.#clock.now() / 1000);
      const signed = await sign(body, { secret, signature, timestamp, id });
      await before;
      return signed;
    } finally {
      leave();
      idle();
    }
  }

  async #exchange(
    { url, timeout, fetch }: CompleteEndpoint,
    body: string,
    headers: Headers,
    signal: AbortSignal,
  ): Promise<number> {
    const { controller: ended, release } = linkedTo(signal);
    if (timeout !== Number.POSITIVE_INFINITY) {
      const now = this.#clock.now();
      this.#clock.sleep(untilEndOfCalendar(now + timeout) - now, ended.signal, 'timeout').then(
        () => ended.abort(new DOMException(`No response within ${timeout} ms`, 'TimeoutError')),
        () => {},
      );
    }
    const back = this.#clock.hold('receiver');
    try {
      const request = new Request(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: ended.signal,
      });
      // An async function, because `fetch` may return any kind of promise.
      const response = await unlessAborted((async () => fetch(request))(), ended.signal);
      void discard(response);
      return response.status;
    } finally {
      back();
      release();
      ended.abort();
    }
  }
}
