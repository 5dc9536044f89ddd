import type { SleepPurpose, WorldClock } from './clock.ts';
import { byId } from './order.ts';
import { Ordered } from './ordered.ts';
import { realDelay, turn } from './turn.ts';

/** Where every virtual clock starts: the same seed has to give the same dates. */
const START = Date.UTC(2026, 0, 1);

/** Turns of the event loop in which nothing may happen before everything is taken to be waiting. */
const QUIET_TURNS = 4;

/**
 * Real milliseconds of quiet before time is moved past somebody's timeout.
 *
 * A timeout that is still set guards something that may be on its way where this clock can't see it, such as a
 * request between two sockets.
 */
const PATIENCE = 50;

/** Real milliseconds that `advance` waits at each step for work that is under way. */
const MOST_SETTLING = 1_000;

interface Sleeper {
  readonly id: string;
  wakeAt: number;
  readonly pulls: () => boolean;
  readonly wake: () => void;
}

const byWakeUp = (a: Sleeper, b: Sleeper): number => a.wakeAt - b.wakeAt || byId(a, b);

/** A clock that stands still until it is moved, or until everything waits for it. */
export const createVirtualClock = (): WorldClock => {
  let now = START;
  let sleepers = Ordered.by<Sleeper>(byWakeUp);
  let slept = 0;
  let busyCount = 0;
  let hangCount = 0;
  let advancing = 0;
  /** Counts everything that happens, so that quiet can be told from activity. */
  let activity = 0;
  let watching = false;

  const fire = (sleeper: Sleeper) => {
    now = Math.max(now, sleeper.wakeAt);
    sleepers = sleepers.without(sleeper);
    sleeper.wake();
  };

  /** Whether time should pass: nothing is being done, and somebody waits for it. */
  const awaited = (): boolean =>
    busyCount === 0 &&
    advancing === 0 &&
    sleepers.size > 0 &&
    (hangCount > 0 || sleepers.slice().some((sleeper) => sleeper.pulls()));

  const quietFor = async (turns: number): Promise<boolean> => {
    const before = activity;
    for (let passed = 0; passed < turns; passed += 1) {
      await turn();
      if (activity !== before) return false;
    }
    return true;
  };

  const watch = async (): Promise<void> => {
    while (awaited()) {
      if (!(await quietFor(QUIET_TURNS))) continue;
      const next = sleepers.at(0);
      if (next === undefined || !awaited()) continue;
      if (!next.pulls()) {
        const before = activity;
        await realDelay(PATIENCE);
        // After a stall of the machine, what arrived meanwhile is seen only now.
        if (activity !== before || !(await quietFor(QUIET_TURNS))) continue;
      }
      fire(next);
      activity += 1;
    }
  };

  const poke = () => {
    activity += 1;
    if (watching || !awaited()) return;
    watching = true;
    void watch().finally(() => {
      watching = false;
      // Something may have begun to wait after the last look.
      if (awaited()) poke();
    });
  };

  const token = (change: (by: number) => void) => () => {
    change(1);
    activity += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      change(-1);
      poke();
    };
  };

  const sleepWhile = (ms: number, pulls: () => boolean, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      slept += 1;
      const onAbort = () => {
        sleepers = sleepers.without(sleeper);
        poke();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        id: String(slept).padStart(12, '0'),
        wakeAt: now + Math.max(0, ms),
        pulls,
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      sleepers = sleepers.with(sleeper);
      signal?.addEventListener('abort', onAbort, { once: true });
      poke();
    });

  /** Lets everything that can go on without time passing do so. */
  const settle = async (): Promise<void> => {
    const giveUpAt = performance.now() + MOST_SETTLING;
    while (performance.now() < giveUpAt) {
      if ((await quietFor(QUIET_TURNS)) && busyCount === 0) return;
    }
  };

  const advanceTo = async (target: number): Promise<void> => {
    advancing += 1;
    activity += 1;
    try {
      await settle();
      for (let next = sleepers.at(0); next !== undefined && next.wakeAt <= target; next = sleepers.at(0)) {
        fire(next);
        await settle();
      }
      now = Math.max(now, target);
    } finally {
      advancing -= 1;
      poke();
    }
  };

  return {
    now: () => now,
    sleepWhile,
    sleep: (ms, signal, purpose: SleepPurpose = 'wait') => sleepWhile(ms, () => purpose === 'wait', signal),
    busy: token((by) => {
      busyCount += by;
    }),
    hanging: token((by) => {
      hangCount += by;
      poke();
    }),
    poke,
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`clock.advance() takes milliseconds from 0 up, not ${ms}`);
      await advanceTo(now + ms);
    },
    async set(date) {
      const target = new Date(date).getTime();
      if (!(target >= now))
        throw new RangeError(
          `clock.set() moves forward only: ${String(date)} is not after ${new Date(now).toISOString()}; go back with restore() or reset()`,
        );
      await advanceTo(target);
    },
    load(to) {
      const shift = to - now;
      now = to;
      // All by the same amount, so their order stays.
      for (const sleeper of sleepers) sleeper.wakeAt += shift;
      poke();
    },
  };
};
