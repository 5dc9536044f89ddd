import { isDate, rejectOnAbort } from '@confab/internal';
import { formatValue } from '../../errors/check.ts';
import { invalidArgument, MockClosedError } from '../../errors/mock-error.ts';
import { linkSignals } from './abort.ts';
import { Activity } from './activity.ts';
import type { Hold, WorldClock } from './clock.ts';
import { checkSleep, LATEST, parseDate } from './clock.ts';
import { checkTimers, suspendSafeTimer } from './real-timers.ts';
import type { Sleeper } from './sleepers.ts';
import { Sleepers } from './sleepers.ts';

/** The time at which every virtual clock starts, so that the same seed gives the same dates. */
const START = Date.UTC(2026, 0, 1);

/**
 * How long nothing must happen before the clock moves past a timeout, or moves at all while a receiver works, in
 * milliseconds of real time. The clock cannot see what is in flight, such as a request between two sockets or the response
 * of a receiver.
 */
const QUIET_MS = 50;

/** How long code in real time may hold the clock, in milliseconds of real time: it may never end. */
const MAX_HOLD: Readonly<Partial<Record<Hold | 'drive', number>>> = { test: 10_000, receiver: 1_000 };

/** How long one move waits for work in progress, in milliseconds of real time. */
const MAX_SETTLING = 1_000;

/**
 * A clock on which time passes only when a test moves it, or when everything waits for it.
 *
 * Time moves to the end of the next sleep once something drives it, nothing holds it back, and nothing has happened for a
 * few turns of the event loop:
 *
 * | | Drives time | Holds time back |
 * | --- | --- | --- |
 * | a sleep that is a `'wait'` | yes | |
 * | a fault that hangs or stalls, a `flush()` | yes | |
 * | a sleep that is a `'retry'` | | |
 * | a sleep that is a `'timeout'` | | for {@link QUIET_MS}, when it is the next to end |
 * | `'work'`: a request, a signature, a move | | entirely |
 * | `'test'`: test code | | before a timeout, for {@link MAX_HOLD} at most |
 * | `'receiver'`: a delivery in progress | | the same, and before anything else for {@link QUIET_MS} |
 */
export class VirtualClock implements WorldClock {
  readonly kind = 'virtual';
  #now = START;
  readonly #onMove: () => void;
  readonly #sleepers = new Sleepers();
  readonly #activity = new Activity();
  /** How many holds of each kind have begun and not ended. */
  readonly #holds: Record<Hold | 'drive', number> = { work: 0, test: 0, receiver: 0, drive: 0 };
  readonly #closeController = new AbortController();
  /** The latest move. Each starts when the one before has ended, so that `advance(5)` and `advance(3)` at once move 8 ms. */
  #lastMove: Promise<void> = Promise.resolve();
  /** Changes when the clock is restored or closed, which ends all moves. */
  #epoch = 0;
  #watching = false;

  /**
   * @param onMove Called after each move.
   * @throws A {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
   */
  constructor(onMove: () => void = () => {}) {
    checkTimers();
    this.#onMove = onMove;
  }

  // Properties, so that they can be passed as functions: `{ now: mock.clock.now }`.

  readonly now = (): number => this.#now;

  readonly sleep: WorldClock['sleep'] = async (ms = 0, signal = undefined, purpose = 'wait') => {
    checkSleep(ms, signal);
    const wakeAt = this.#now + Math.max(0, ms);
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const remove = this.#sleepers.add({ wakeAt, purpose, wake });
    // A wait beyond the calendar must not drive time, because only its signal or the end of the mock ends it.
    const release = purpose === 'wait' && wakeAt <= LATEST ? this.holdTime('drive') : () => {};
    const { controller, release: unlink } = linkSignals(signal, this.#closeController.signal);
    this.#noteActivity();
    try {
      await rejectOnAbort(woken, controller.signal);
    } finally {
      remove();
      unlink();
      release();
      this.#noteActivity();
    }
  };

  readonly advance = async (ms: number): Promise<void> => {
    if (typeof ms !== 'number' || !(ms >= 0)) {
      throw invalidArgument(
        `clock.advance() must be called with a number of milliseconds of at least 0, got ${formatValue(ms)}.`,
      );
    }
    await this.#move(() => {
      if (this.#now + ms > LATEST) {
        throw invalidArgument(
          `clock.advance(${ms}) would move the clock beyond the year 9999, the last one that the API's date-times can express.`,
        );
      }
      return this.#now + ms;
    });
  };

  readonly set = async (date: Date | string | number): Promise<void> => {
    const target = parseDate(date);
    if (!(target <= LATEST)) {
      throw invalidArgument(
        `clock.set() must be called with a Date, milliseconds, or a date-time with an offset (RFC 3339) up to the year 9999, got ${isDate(date) ? String(date) : formatValue(date)}.`,
      );
    }
    await this.#move(() => {
      if (target < this.#now) {
        throw invalidArgument(
          `clock.set() only moves forward: ${String(date)} is before ${new Date(this.#now).toISOString()}. Use restore() or reset() to go back.`,
        );
      }
      return target;
    });
  };

  /** Counts a hold until the returned function is called, or for {@link MAX_HOLD}. */
  holdTime(what: Hold | 'drive'): () => void {
    this.#holds[what] += 1;
    this.#noteActivity();
    let isOver = false;
    const end = () => {
      if (!isOver) {
        isOver = true;
        cancel?.();
        this.#holds[what] -= 1;
        this.#noteActivity();
      }
    };
    const limit = MAX_HOLD[what];
    const cancel = limit === undefined ? undefined : suspendSafeTimer(limit, end);
    return end;
  }

  driveTime(): () => void {
    return this.holdTime('drive');
  }

  close(): void {
    this.#epoch += 1;
    this.#closeController.abort(new MockClosedError('A client or a test waited on the clock'));
  }

  load(to: number): void {
    this.#epoch += 1;
    this.#sleepers.shift(to - this.#now);
    this.#now = to;
    this.#onMove();
    this.#noteActivity();
  }

  #fire(sleeper: Sleeper): void {
    this.#now = Math.max(this.#now, sleeper.wakeAt);
    this.#onMove();
    sleeper.wake();
  }

  /** Whether a sleep is a timeout that must not fire yet, because test code or a receiver runs in real time. */
  #isGuarded({ purpose }: Sleeper): boolean {
    return purpose === 'timeout' && this.#holds.test + this.#holds.receiver > 0;
  }

  /** The sleep to whose end time should move by itself, if any. */
  #awaited(): Sleeper | undefined {
    const next = this.#holds.work === 0 && this.#holds.drive > 0 ? this.#sleepers.next : undefined;
    return next !== undefined && next.wakeAt <= LATEST && !this.#isGuarded(next) ? next : undefined;
  }

  /** Moves time while it should move by itself. */
  async #watch(): Promise<void> {
    this.#watching = true;
    while (this.#awaited() !== undefined) {
      if (await this.#activity.staysQuiet()) {
        const next = this.#awaited();
        const needsLongQuiet = next?.purpose === 'timeout' || this.#holds.receiver > 0;
        if (next !== undefined && (!needsLongQuiet || (await this.#activity.staysQuiet(QUIET_MS)))) {
          this.#fire(next);
          this.#activity.count += 1;
        }
      }
    }
    this.#watching = false;
  }

  /** Notes that something has happened. Time may have to move now. */
  #noteActivity(): void {
    this.#activity.count += 1;
    if (!this.#watching && this.#awaited() !== undefined) {
      void this.#watch();
    }
  }

  /** @param getTarget Returns where to move. Called after all earlier moves. */
  #move(getTarget: () => number): Promise<void> {
    if (this.#closeController.signal.aborted) {
      return Promise.reject(new MockClosedError('clock.advance() or set() was called'));
    }
    const epoch = this.#epoch;
    const moved = this.#lastMove.then(() =>
      this.#epoch === epoch ? this.#moveTo(getTarget(), epoch) : undefined,
    );
    this.#lastMove = moved.catch(() => {});
    return moved;
  }

  async #moveTo(target: number, epoch: number): Promise<void> {
    const release = this.holdTime('work');
    let late = false;
    const cancel = suspendSafeTimer(MAX_SETTLING, () => {
      late = true;
    });
    try {
      await this.#settle(target, () => late);
      while (this.#epoch === epoch) {
        const { next } = this.#sleepers;
        if (next === undefined || next.wakeAt > target) {
          this.#now = Math.max(this.#now, target);
          this.#onMove();
          return;
        }
        this.#fire(next);
        await this.#settle(target, () => late);
      }
    } finally {
      cancel();
      release();
    }
  }

  /**
   * Waits until everything has happened that can happen without time passing.
   *
   * @param target The time at which the move ends.
   */
  async #settle(target: number, isLate: () => boolean): Promise<void> {
    // After the limit, only a receiver is waited for, which has a limit of its own.
    while (!isLate() || this.#holds.receiver > 0) {
      const { next } = this.#sleepers;
      const isBusy = this.#holds.receiver > 0;
      const isHeld =
        // The move itself is one hold.
        this.#holds.work > 1 ||
        // A receiver may itself be waiting for the clock.
        (isBusy && this.#holds.drive === 0) ||
        (next !== undefined && next.wakeAt <= target && this.#isGuarded(next));
      if ((await this.#activity.staysQuiet(isBusy ? QUIET_MS : 0)) && !isHeld) {
        return;
      }
    }
  }
}
