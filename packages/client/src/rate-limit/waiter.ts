import { onAbort } from '@confab/internal';
import type { Evidence, WaitingCall } from '../options/rate-window.ts';
import type { Clock } from '../time/clock.ts';
import type { Fifo } from './fifo.ts';

/** Permission to send one request. */
export interface Permit {
  /**
   * Ends the request and frees its place.
   *
   * @param counts False when the request does not count against the rate limit, because nothing was sent or the service
   * refused before acting (429).
   * @param evidence What the response proves.
   */
  release(counts: boolean, evidence?: Evidence): void;
}

/** A call that waits in the queue of a limiter. */
export interface Waiter {
  /** The time at which it asks again. */
  until: number | undefined;
  readonly refuse: (pausedUntil: number) => void;
  readonly call: WaitingCall;
  /** Asks again at another time. */
  readonly wakeAt: (until: number) => void;
  /** Leaves the queue and resolves. */
  readonly grant: (permit: Permit) => void;
  /** Leaves the queue and rejects. */
  readonly fail: (reason: unknown) => void;
}

interface WaitOptions extends Pick<Waiter, 'refuse' | 'call'> {
  readonly queue: Fifo<Waiter>;
  /** Starts every request that may start. */
  readonly pump: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Waits in a queue. Each waiter has a timer of its own, and sets it itself when it is rung for: in Workers a timer ends
 * with the request that has set it, and `pump` runs in any request.
 *
 * @throws The signal's reason as soon as it is aborted, and what the waiter fails with.
 */
export const waitForPermit = ({ queue, pump, clock, signal, call, refuse }: WaitOptions): Promise<Permit> =>
  new Promise((resolve, reject) => {
    let left = false;
    let ring = () => {};
    const leave = () => {
      remove();
      stopListening();
      left = true;
      ring();
    };
    const fail = (reason: unknown) => {
      leave();
      reject(reason);
      pump();
    };
    const sleep = async (until: number, nap: AbortSignal) => {
      try {
        await clock.sleep(until - clock.now(), nap, 'wait');
        waiter.until = undefined;
        pump();
      } catch (reason) {
        if (!nap.aborted) {
          fail(reason);
        }
      }
    };
    const keepTimer = async () => {
      while (!left) {
        const nap = new AbortController();
        if (waiter.until !== undefined) {
          void sleep(waiter.until, nap.signal);
        }
        await new Promise<void>((resolve) => {
          ring = resolve;
        });
        nap.abort();
      }
    };
    const waiter: Waiter = {
      until: undefined,
      refuse,
      call,
      fail,
      // Nothing may come between the grant and the caller, or calls that are granted later would overtake this one.
      grant(permit) {
        leave();
        resolve(permit);
      },
      wakeAt(until) {
        waiter.until = until;
        ring();
      },
    };
    const remove = queue.add(waiter);
    const stopListening = onAbort(signal, () => fail(signal.reason));
    void keepTimer();
    pump();
  });
