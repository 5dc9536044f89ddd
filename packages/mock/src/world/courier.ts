import { sign } from '@confab/webhooks';
import type { WorldClock } from './clock.ts';
import type { Attempt } from './delivery.ts';
import type { CompleteEndpoint } from './endpoint.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Real milliseconds after which a receiver is taken to be dead. */
const TIMEOUT = 10_000;

/** Signs a body and takes it to a receiver, once. */
export class Courier {
  readonly #clock: WorldClock;
  /** Signing takes a moment; events still leave in the order in which they happened. */
  #departures: Promise<void> = Promise.resolve();

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  /** @throws The reason of the signal, once it aborts; whatever a receiver does is told in the attempt. */
  async attempt(endpoint: CompleteEndpoint, body: string, signal: AbortSignal): Promise<Attempt> {
    const idle = this.#clock.busy();
    try {
      const request = await this.#depart(endpoint, body, signal);
      const at = this.#clock.now();
      try {
        const response = await unlessAborted(endpoint.fetch(request), request.signal);
        await response.body?.cancel();
        return { at, status: response.status, error: undefined };
      } catch (error) {
        signal.throwIfAborted();
        return { at, status: undefined, error: String(error) };
      }
    } finally {
      idle();
    }
  }

  async #depart(
    { url, secret, signature }: CompleteEndpoint,
    body: string,
    signal: AbortSignal,
  ): Promise<Request> {
    const before = this.#departures;
    let leave = () => {};
    this.#departures = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      const timestamp = Math.floor(this.#clock.now() / 1000);
      const signed = await sign(body, { secret, signature, timestamp });
      await before;
      return new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      });
    } finally {
      leave();
    }
  }
}
