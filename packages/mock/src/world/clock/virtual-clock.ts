import { rejectOnAbort } from '@confab/internal';
import { shown } from '../../errors/check.ts';
import { invalidArgument, MockClosedError } from '../../errors/mock-error.ts';
import { linkedTo } from './abort.ts';
import { Activity } from './activity.ts';
import type { Hold, WorldClock } from './clock.ts';
import { checkSleep, LATEST, momentOf } from './clock.ts';
import type { Sleeper } from './sleepers.ts';
import { Sleepers } from './sleepers.ts';
import { checkTimers, patientTimer } from './timers.ts';

/** The time at which every virtual clock starts, because the same seed has to give the same dates. */
const START = Date.UTC(2026, 0, 1);

/**
 * Real milliseconds of quiet before the clock moves past a timeout, or moves at all while a receiver is at work.
 *
 * A timeout that is still set guards something that may be in flight where this clock can't see it, such as a request
 * between two sockets. The same goes for the response of a receiver.
 */
const PATIENCE = 50;

/** Real milliseconds after which code that runs in real time holds nothing back any more: it may never end. */
const MAX_HOLD: Readonly<Partial<Record<Hold | 'drive', number>>> = { test: 10_000, receiver: 1_000 };

/** Real milliseconds that one move waits for work under way. */
const MAX_SETTLING = 1_000;

/**
 * Creates a clock on which time passes only when it is moved, or when everything waits for it.
 *
 * Time moves to the next sleeper once something drives it, nothing holds it back, and all has been quiet for a while:
 *
 * | | Drives time | Holds time back |
 * | --- | --- | --- |
 * | a sleep that is a `'wait'` | yes | |
 * | a fault that hangs or stalls, a `flush()` | yes | |
 * | a sleep that is a `'retry'` | | |
 * | a sleep that is a `'timeout'` | | for {@link PATIENCE}, when it is the next sleeper |
 * | `'work'`: a request, a signature, a move | | entirely |
 * | `'test'`: code of the test | | before a timeout, for {@link MAX_HOLD} at most |
 * | `'receiver'`: a delivery under way | | the same, and before anything else for {@link PATIENCE} |
 *
 * @param onMove Called after each move.
 * @throws {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
 */
export const createVirtualClock = (onMove: () => void = () => {}): WorldClock => {
  checkTimers();
  let now = START;
  const sleepers = new Sleepers();
  /** The number of each that has begun and not ended. */
  const inProgress: Record<Hold | 'drive', number> = { work: 0, test: 0, receiver: 0, drive: 0 };
  const closeController = new AbortController();
  /** The latest move. Each one starts when the one before has ended, so that all of them count in full. */
  let lastMove: Promise<void> = Promise.resolve();
  /** Counts how often the clock was restored, which ends the moves of the time before. */
  let loads = 0;
  const activity = new Activity();
  let watching = false;

  const fire = (sleeper: Sleeper) => {
    now = Math.max(now, sleeper.wakeAt);
    onMove();
    sleeper.wake();
  };

  /** Whether code runs in real time that something else on this clock guards by a timeout. */
  const isGuarded = ({ purpose }: Sleeper) =>
    purpose === 'timeout' && inProgress.test + inProgress.receiver > 0;

  /** The sleeper that time should move to, if it should. */
  const awaited = (): Sleeper | undefined => {
    const next = inProgress.work === 0 && inProgress.drive > 0 ? sleepers.next : undefined;
    return next !== undefined && next.wakeAt <= LATEST && !isGuarded(next) ? next : undefined;
  };

  /** Moves time as long as it should move by itself. */
  const watch = async (): Promise<void> => {
    watching = true;
    while (awaited() !== undefined) {
      if (await activity.staysQuiet()) {
        const next = awaited();
        const isPatient = next?.purpose === 'timeout' || inProgress.receiver > 0;
        if (next !== undefined && (!isPatient || (await activity.staysQuiet(PATIENCE)))) {
          fire(next);
          activity.count += 1;
        }
      }
    }
    watching = false;
  };

  /** Notes that something has happened, after which time may have to pass. */
  const noteActivity = () => {
    activity.count += 1;
    if (!watching && awaited() !== undefined) {
      void watch();
    }
  };

  /** Counts something that lasts, until the returned function is called, or its {@link MAX_HOLD} is over. */
  const begin = (what: Hold | 'drive'): (() => void) => {
    inProgress[what] += 1;
    noteActivity();
    let isOver = false;
    const end = () => {
      if (!isOver) {
        isOver = true;
        cancel?.();
        inProgress[what] -= 1;
        noteActivity();
      }
    };
    const limit = MAX_HOLD[what];
    const cancel = limit === undefined ? undefined : patientTimer(limit, end);
    return end;
  };

  const sleep: WorldClock['sleep'] = async (ms = 0, signal = undefined, purpose = 'wait') => {
    checkSleep(ms, signal);
    const wakeAt = now + Math.max(0, ms);
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const remove = sleepers.add({ wakeAt, purpose, wake });
    // A wait beyond the calendar can't drive time: only its signal or the end of the mock can end it.
    const release = purpose === 'wait' && wakeAt <= LATEST ? begin('drive') : () => {};
    const { controller, release: unlink } = linkedTo(signal, closeController.signal);
    noteActivity();
    try {
      await rejectOnAbort(woken, controller.signal);
    } finally {
      remove();
      unlink();
      release();
      noteActivity();
    }
  };

  /**
   * Waits until everything that can continue without time passing has done so.
   *
   * @param target Where the move leads.
   */
  const settle = async (target: number, isLate: () => boolean): Promise<void> => {
    // What is late is not waited for, but a receiver has a bound of its own.
    while (!isLate() || inProgress.receiver > 0) {
      const { next } = sleepers;
      const isBusy = inProgress.receiver > 0;
      const isHeld =
        // The move itself is one hold.
        inProgress.work > 1 ||
        // A receiver may itself be waiting for the clock.
        (isBusy && inProgress.drive === 0) ||
        (next !== undefined && next.wakeAt <= target && isGuarded(next));
      if ((await activity.staysQuiet(isBusy ? PATIENCE : 0)) && !isHeld) {
        return;
      }
    }
  };

  const moveTo = async (target: number, from: number): Promise<void> => {
    const release = begin('work');
    let late = false;
    const cancel = patientTimer(MAX_SETTLING, () => {
      late = true;
    });
    try {
      await settle(target, () => late);
      while (loads === from) {
        const { next } = sleepers;
        if (next === undefined || next.wakeAt > target) {
          now = Math.max(now, target);
          onMove();
          return;
        }
        fire(next);
        await settle(target, () => late);
      }
    } finally {
      cancel();
      release();
    }
  };

  /** @param targetOf Called after all earlier moves. */
  const move = (targetOf: () => number): Promise<void> => {
    if (closeController.signal.aborted) {
      return Promise.reject(new MockClosedError('clock.advance() or set() was called'));
    }
    const from = loads;
    const moved = lastMove.then(() => (loads === from ? moveTo(targetOf(), from) : undefined));
    lastMove = moved.catch(() => {});
    return moved;
  };

  return {
    kind: 'virtual',
    now: () => now,
    sleep,
    holdTime: begin,
    driveTime: () => begin('drive'),
    async advance(ms) {
      if (typeof ms !== 'number' || !(ms >= 0)) {
        throw invalidArgument(
          `clock.advance() must be called with milliseconds (0 or more), got ${shown(ms)}`,
        );
      }
      await move(() => {
        if (now + ms > LATEST) {
          throw invalidArgument(
            `clock.advance(${ms}) would move the clock beyond the year 9999, the last one that the API's date-times can express`,
          );
        }
        return now + ms;
      });
    },
    async set(date) {
      const target = momentOf(date);
      if (!(target <= LATEST)) {
        throw invalidArgument(
          `clock.set() must be called with a Date, milliseconds, or a date-time with an offset (RFC 3339) up to the year 9999, got ${date instanceof Date ? String(date) : shown(date)}`,
        );
      }
      await move(() => {
        if (target < now) {
          throw invalidArgument(
            `clock.set() only moves forward: ${String(date)} is before ${new Date(now).toISOString()}. Use restore() or reset() to go back.`,
          );
        }
        return target;
      });
    },
    close() {
      // Ends the moves that are under way.
      loads += 1;
      closeController.abort(new MockClosedError('A client or a test waited on the clock'));
    },
    load(to) {
      loads += 1;
      sleepers.shift(to - now);
      now = to;
      onMove();
      noteActivity();
    },
  };
};
