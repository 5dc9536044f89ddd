import { rejectOnAbort } from '@confab/internal';
import { shown } from '../../errors/check.ts';
import { invalidArgument, MockClosedError } from '../../errors/mock-error.ts';
import { linkedTo } from './abort.ts';
import type { Hold, SleepPurpose, WorldClock } from './clock.ts';
import { checkSleep, LATEST, momentOf } from './clock.ts';
import { checkTimers, realDelay, turn } from './timers.ts';

/** The time at which every virtual clock starts, because the same seed has to give the same dates. */
const START = Date.UTC(2026, 0, 1);

/** Turns of the event loop without activity after which everything is assumed to wait. */
const QUIET_TURNS = 4;

/**
 * Real milliseconds of quiet before the clock moves past a timeout, or moves at all while a delivery is under way.
 *
 * A timeout that is still set guards something that may be in flight where this clock can't see it, such as a request
 * between two sockets. The same goes for the response of a receiver.
 */
const PATIENCE = 50;

/** The same before a timeout while code of the test or a receiver runs, which may take long. */
const LONG_PATIENCE = 1_000;

/** Real milliseconds of one step of that wait. */
const PATIENCE_STEP = 5;

/** Real milliseconds that `advance` waits for work under way at each step. */
const MAX_SETTLING = 1_000;

/** A wait on the virtual clock. */
interface Sleeper {
  /** Milliseconds since 1970. */
  wakeAt: number;
  readonly purpose: SleepPurpose | 'retry';
  readonly wake: () => void;
}

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
 * | `'receiver'`: a delivery under way | | for {@link PATIENCE}; before a timeout, for {@link LONG_PATIENCE} |
 * | `'test'`: code of the test | | before a timeout, for {@link LONG_PATIENCE} |
 *
 * @param onMove Called after each move.
 * @throws {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
 */
export const createVirtualClock = (onMove: () => void = () => {}): WorldClock => {
  checkTimers();
  let now = START;
  /** In the order of waking up; those due at the same moment, in that of arrival. */
  const sleepers: Sleeper[] = [];
  /** The number of each that has begun and not ended. */
  const inProgress: Record<Hold | 'drive', number> = { work: 0, test: 0, receiver: 0, drive: 0 };
  const closeController = new AbortController();
  /** The latest move. Each one starts when the one before has ended, so that all of them count in full. */
  let lastMove: Promise<void> = Promise.resolve();
  /** Counts how often the clock was restored, which ends the moves of the time before. */
  let loads = 0;
  /** Counts everything that happens, to detect quiet. */
  let activity = 0;
  let watching = false;

  const fire = (sleeper: Sleeper) => {
    now = Math.max(now, sleeper.wakeAt);
    onMove();
    sleeper.wake();
  };

  /** The sleeper that time should move to, if it should. */
  const awaited = (): Sleeper | undefined => {
    const [next] = sleepers;
    return inProgress.work === 0 && inProgress.drive > 0 && next !== undefined && next.wakeAt <= LATEST
      ? next
      : undefined;
  };

  /** Real milliseconds of quiet that must precede the next wake-up. */
  const patienceFor = ({ purpose }: Sleeper): number => {
    if (purpose === 'timeout') {
      return inProgress.test + inProgress.receiver > 0 ? LONG_PATIENCE : PATIENCE;
    }
    return inProgress.receiver > 0 ? PATIENCE : 0;
  };

  const quietFor = async (turns: number): Promise<boolean> => {
    const before = activity;
    for (let passed = 0; passed < turns; passed += 1) {
      await turn();
      if (activity !== before) {
        return false;
      }
    }
    return true;
  };

  /** Waits for quiet in short steps, to notice activity soon. A pause of the machine counts as one step only. */
  const staysQuiet = async (ms: number): Promise<boolean> => {
    const before = activity;
    for (let waited = 0; waited < ms; waited += PATIENCE_STEP) {
      await realDelay(PATIENCE_STEP);
      if (activity !== before) {
        return false;
      }
    }
    // After a pause of the machine, whatever arrived meanwhile becomes visible only now.
    return ms === 0 || quietFor(QUIET_TURNS);
  };

  /** Moves time as long as it should move by itself. */
  const watch = async (): Promise<void> => {
    watching = true;
    while (awaited() !== undefined) {
      if (await quietFor(QUIET_TURNS)) {
        const next = awaited();
        if (next !== undefined && (await staysQuiet(patienceFor(next)))) {
          fire(next);
          activity += 1;
        }
      }
    }
    watching = false;
  };

  /** Notes that something has happened, after which time may have to pass. */
  const noteActivity = () => {
    activity += 1;
    if (!watching && awaited() !== undefined) {
      void watch();
    }
  };

  /** Counts something that lasts, until the returned function is called, once. */
  const begin = (what: Hold | 'drive'): (() => void) => {
    inProgress[what] += 1;
    noteActivity();
    return () => {
      inProgress[what] -= 1;
      noteActivity();
    };
  };

  const sleep: WorldClock['sleep'] = async (ms = 0, signal = undefined, purpose = 'wait') => {
    checkSleep(ms, signal);
    const wakeAt = now + Math.max(0, ms);
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const sleeper: Sleeper = { wakeAt, purpose, wake };
    sleepers.splice(sleepers.findLastIndex((other) => other.wakeAt <= wakeAt) + 1, 0, sleeper);
    // A wait beyond the calendar can't drive time: only its signal or the end of the mock can end it.
    const release = purpose === 'wait' && wakeAt <= LATEST ? begin('drive') : () => {};
    const { controller, release: unlink } = linkedTo(signal, closeController.signal);
    noteActivity();
    try {
      await rejectOnAbort(woken, controller.signal);
    } finally {
      sleepers.splice(sleepers.indexOf(sleeper), 1);
      unlink();
      release();
      noteActivity();
    }
  };

  /** Waits until everything that can continue without time passing has done so. */
  const settle = async (): Promise<void> => {
    const giveUpAt = performance.now() + MAX_SETTLING;
    while (performance.now() < giveUpAt) {
      // The move itself is one hold.
      if (!(await quietFor(QUIET_TURNS)) || inProgress.work > 1) {
        continue;
      }
      // The receiver itself may be waiting for the clock.
      if (inProgress.receiver === 0 || (inProgress.drive > 0 && (await staysQuiet(PATIENCE)))) {
        return;
      }
    }
  };

  const moveTo = async (target: number, from: number): Promise<void> => {
    const release = begin('work');
    try {
      await settle();
      while (loads === from) {
        const [next] = sleepers;
        if (next === undefined || next.wakeAt > target) {
          now = Math.max(now, target);
          onMove();
          return;
        }
        fire(next);
        await settle();
      }
    } finally {
      release();
    }
  };

  /** @param targetOf Called after all earlier moves. */
  const move = (targetOf: () => number): Promise<void> => {
    if (closeController.signal.aborted) {
      return Promise.reject(new MockClosedError('clock.advance() or set()'));
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
          `clock.set() must be called with a Date, milliseconds, or a date-time with an offset (RFC 3339) up to the year 9999, got ${String(date)}`,
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
      closeController.abort(new MockClosedError('clock.sleep(), which its clients use,'));
    },
    load(to) {
      loads += 1;
      for (const sleeper of sleepers) {
        sleeper.wakeAt += to - now;
      }
      now = to;
      onMove();
      noteActivity();
    },
  };
};
