import type { Clock as ClientClock } from '@confab/client';
import { invalidArgument } from '../../errors/invalid-argument.ts';

/** What a wait is for: something that will come, or a limit on something that should come before it. */
export type SleepPurpose = NonNullable<Parameters<ClientClock['sleep']>[2]>;

/** Whose code is at work: the test's, which decides on a request; or a receiver's, which takes a delivery. */
export type Outsider = 'test' | 'receiver';

/** One time for a whole world: timestamps, windows, latency, delivery retries and the client's waits follow it. */
export interface Clock extends ClientClock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Resolves once this many milliseconds have passed on this clock.
   *
   * Under the virtual clock they pass by {@link Clock.advance}, or by themselves once everything waits. A wait to
   * beyond the year 9999 never ends.
   *
   * @param purpose `'timeout'` for a limit that is usually cancelled: it fires when time passes it, but never
   * makes time pass, except while a fault hangs a request. Default `'wait'`.
   * @throws The reason of the signal, once it aborts; `RangeError` for `NaN`.
   * @throws {@link MockClosedError} Once the mock is closed.
   */
  sleep(ms: number, signal?: AbortSignal, purpose?: SleepPurpose): Promise<void>;
  /**
   * Moves the virtual clock forward, and lets everything happen that falls due on the way, in order.
   *
   * @param ms Milliseconds from where it stands; asked for while it is being moved, from where that ends.
   * @throws {RangeError} For a negative number, or one that leads beyond the year 9999.
   * @throws {Error} On the system clock, which nobody moves.
   * @example
   * await mock.clock.advance(60_000);
   */
  advance(ms: number): Promise<void>;
  /**
   * Moves the virtual clock forward to a date, as {@link Clock.advance} does.
   *
   * @param date A `Date`, milliseconds since 1970, a date-time with its offset (RFC 3339), or a day, which begins in UTC.
   * @throws {RangeError} For a date that does not exist, in the past of the clock, or beyond the year 9999.
   * @throws {Error} On the system clock, which nobody moves.
   * @example
   * await mock.clock.set('2026-03-01T09:00:00Z');
   */
  set(date: Date | string | number): Promise<void>;
}

/** What the parts of a world need of its clock beside what users see. */
export interface WorldClock extends Clock {
  /** Says that work is being done, so that time should not move on by itself; returns what ends that. */
  busy(): () => void;
  /**
   * Says that code of somebody else is at work, which may itself wait for this clock: time may pass, but not lightly past
   * somebody's timeout. Returns what ends that.
   */
  outside(who: Outsider): () => void;
  /** Says that a request hangs and only a timeout can end it; returns what ends that. */
  hanging(): () => void;
  /** A sleep that makes time pass only while `pulls` says so. */
  sleepWhile(ms: number, pulls: () => boolean, signal?: AbortSignal): Promise<void>;
  /** Looks again at who waits, after the answer of some `pulls` has changed. */
  poke(): void;
  /** Rejects everything that waits, now and from now on, with {@link MockClosedError}: no timer is left. */
  close(): void;
  /** Puts the clock where a snapshot had it; what waits goes on waiting for as long as before. */
  load(now: number): void;
}

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is `NaN`, from which time could not go on. */
export const checkSleep = (ms: number): void => {
  if (Number.isNaN(ms)) {
    throw invalidArgument('clock.sleep() must be called with milliseconds, got NaN');
  }
};
