import { invalidArgument, MockClosedError } from '../../errors/mock-error.ts';
import type { Outsider, SleepPurpose, WorldClock } from './clock.ts';
import { checkAdvance, checkSleep, LATEST, momentOf } from './clock.ts';
import { Era } from './era.ts';
import { checkTimers, realDelay, turn } from './timers.ts';

/** A wait on the virtual clock. */
interface Sleeper {
  /** Milliseconds since 1970. */
  wakeAt: number;
  /** Whether it makes time pass. */
  readonly pulls: () => boolean;
  readonly wake: () => void;
}

/** Everything that waits on a virtual clock, in the order of waking up; those due at the same moment, in that of arrival. */
class Sleepers {
  readonly #sorted: Sleeper[] = [];

  get size(): number {
    return this.#sorted.length;
  }

  /** The one that wakes up next. */
  get next(): Sleeper | undefined {
    return this.#sorted[0];
  }

  add(sleeper: Sleeper): void {
    const before = this.#sorted.findLastIndex(({ wakeAt }) => wakeAt <= sleeper.wakeAt);
    this.#sorted.splice(before + 1, 0, sleeper);
  }

  remove(sleeper: Sleeper): void {
    const at = this.#sorted.indexOf(sleeper);
    if (at !== -1) {
      this.#sorted.splice(at, 1);
    }
  }

  /** Whether any of them makes time pass. */
  anyPulls(): boolean {
    return this.#sorted.some((sleeper) => sleeper.pulls());
  }

  /** Moves all of them by the same number of milliseconds, which keeps their order. */
  shift(ms: number): void {
    for (const sleeper of this.#sorted) {
      sleeper.wakeAt += ms;
    }
  }
}

/** The time at which every virtual clock starts, because the same seed has to give the same dates. */
const START = Date.UTC(2026, 0, 1);

/** Turns of the event loop without activity after which everything is assumed to wait. */
const QUIET_TURNS = 4;

/**
 * Real milliseconds of quiet before time passes a timeout, or passes at all while a delivery is under way.
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
const MOST_SETTLING = 1_000;

/**
 * Creates a clock on which time passes only when it is moved, or when everything waits for it.
 *
 * @param onMove Called after each move.
 * @throws {@link MockError} `NO_REAL_TIMERS`, when there is no real `setTimeout`.
 */
export const createVirtualClock = (onMove: () => void = () => {}): WorldClock => {
  checkTimers();
  const life = new Era();
  let now = START;
  const sleepers = new Sleepers();
  let busyCount = 0;
  let hangCount = 0;
  const outsiders: Record<Outsider, number> = { test: 0, receiver: 0 };
  let advancing = 0;
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
    sleepers.remove(sleeper);
    sleeper.wake();
  };

  /** Whether time should pass: no work is under way, and a wait makes it pass. */
  const awaited = (): boolean =>
    busyCount === 0 && advancing === 0 && sleepers.size > 0 && (hangCount > 0 || sleepers.anyPulls());

  /** Real milliseconds of quiet that must precede the next wake-up. */
  const patienceFor = (next: Sleeper): number => {
    if (!next.pulls()) {
      return outsiders.test + outsiders.receiver > 0 ? LONG_PATIENCE : PATIENCE;
    }
    return outsiders.receiver > 0 ? PATIENCE : 0;
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
  const patient = async (ms: number): Promise<boolean> => {
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

  const watch = async (): Promise<void> => {
    while (awaited()) {
      if (!(await quietFor(QUIET_TURNS))) {
        continue;
      }
      const next = sleepers.next;
      if (next === undefined || !awaited()) {
        continue;
      }
      if (!(await patient(patienceFor(next)))) {
        continue;
      }
      fire(next);
      activity += 1;
    }
  };

  const poke = () => {
    activity += 1;
    if (watching || !awaited()) {
      return;
    }
    watching = true;
    void watch().then(
      () => {
        watching = false;
        // A wait may have started after the last check.
        if (awaited()) {
          poke();
        }
      },
      (error: unknown) => {
        // Not checked again, because it would fail again at once, forever.
        watching = false;
        throw error;
      },
    );
  };

  const token = (change: (by: number) => void) => () => {
    change(1);
    activity += 1;
    let held = true;
    return () => {
      if (!held) {
        return;
      }
      held = false;
      change(-1);
      poke();
    };
  };

  const sleepWhile = (ms: number, pulls: () => boolean, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      checkSleep(ms);
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const wakeAt = now + Math.max(0, ms);
      const end = (settle: () => void) => {
        sleepers.remove(sleeper);
        signal?.removeEventListener('abort', onAbort);
        forget();
        settle();
        poke();
      };
      const onAbort = () => end(() => reject(signal?.reason));
      const sleeper: Sleeper = {
        wakeAt,
        pulls,
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          forget();
          resolve();
        },
      };
      let forget = () => {};
      forget = life.onEnd(() => end(() => reject(new MockClosedError('clock.sleep()'))));
      if (life.over) {
        return;
      }
      signal?.addEventListener('abort', onAbort, { once: true });
      // Only its signal or the end of the mock can end a wait beyond the calendar.
      if (wakeAt > LATEST) {
        return;
      }
      sleepers.add(sleeper);
      poke();
    });

  /** Waits until everything that can continue without time passing has done so. */
  const settle = async (): Promise<void> => {
    const giveUpAt = performance.now() + MOST_SETTLING;
    while (performance.now() < giveUpAt) {
      if (!(await quietFor(QUIET_TURNS)) || busyCount > 0) {
        continue;
      }
      if (outsiders.receiver === 0) {
        return;
      }
      // The receiver itself may be waiting for the clock.
      if (sleepers.anyPulls() && (await patient(PATIENCE))) {
        return;
      }
    }
  };

  const moveTo = async (target: number, from: number): Promise<void> => {
    advancing += 1;
    activity += 1;
    try {
      await settle();
      for (let next = sleepers.next; loads === from; next = sleepers.next) {
        if (next === undefined || next.wakeAt > target) {
          now = Math.max(now, target);
          onMove();
          return;
        }
        fire(next);
        await settle();
      }
    } finally {
      advancing -= 1;
      poke();
    }
  };

  /** @param targetOf Called after all earlier moves. */
  const move = (targetOf: () => number): Promise<void> => {
    if (life.over) {
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
    sleepWhile,
    sleep: (ms = 0, signal, purpose: SleepPurpose = 'wait') =>
      sleepWhile(ms, () => purpose === 'wait', signal),
    busy: token((by) => {
      busyCount += by;
    }),
    outside: (who) =>
      token((by) => {
        outsiders[who] += by;
      })(),
    hanging: token((by) => {
      hangCount += by;
      poke();
    }),
    poke,
    async advance(ms) {
      checkAdvance(ms);
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
      await move(() => {
        if (target >= now && target <= LATEST) {
          return target;
        }
        throw invalidArgument(
          Number.isNaN(target)
            ? `clock.set() must be called with a Date, milliseconds, or a date-time with an offset (RFC 3339) up to the year 9999, got ${String(date)}`
            : `clock.set() only moves forward, up to the year 9999: ${String(date)} is not after ${new Date(now).toISOString()}. Use restore() or reset() to go back.`,
        );
      });
    },
    close() {
      // Ends the moves that are under way.
      loads += 1;
      life.end();
    },
    load(to) {
      loads += 1;
      sleepers.shift(to - now);
      now = to;
      onMove();
      poke();
    },
  };
};
