import { sign } from '@confab/webhooks';
import { shown } from '../../errors/check.ts';
import { failureOf } from '../../errors/failure-reason.ts';
import { linkedTo, unlessAborted } from '../clock/abort.ts';
import type { WorldClock } from '../clock/clock.ts';
import { untilEndOfCalendar } from '../clock/clock.ts';
import type { Attempt } from './delivery.ts';
import type { CompleteEndpoint } from './endpoints.ts';
import { Slots } from './slots.ts';

/** Discards the body of a response, which is never read. It does not matter whether that fails. */
const discard = async (response: Response): Promise<void> => {
  try {
    await response.body?.cancel();
  } catch {}
};

/** The content of a delivery. */
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
    const idle = this.#clock.holdTime('work');
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
    const back = this.#clock.holdTime('receiver');
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
      if (typeof response?.status !== 'number') {
        throw new TypeError(`\`fetch\` of the endpoint must return a Response, got ${shown(response)}`);
      }
      void discard(response);
      return response.status;
    } finally {
      back();
      release();
      ended.abort();
    }
  }
}
