import type { Clock } from '@confab/client';
import { sleepOn } from '../../support/sleep.ts';
import type { Timeline } from '../../support/timeline.ts';

/** Creates a simulated process. Once it has crashed, nothing that it had planned happens. */
export const createMachine = (timeline: Timeline, name: string, skewMs = 0) => {
  let life = 1;
  let alive = true;
  /** Functions that cancel the waits on its clock. */
  const timers = new Set<() => void>();

  const timer = (ms: number, run: () => void): (() => void) => {
    if (ms === Number.POSITIVE_INFINITY) {
      return () => {};
    }
    const cancel = timeline.after(ms, 'timer', () => {
      timers.delete(cancel);
      run();
    });
    timers.add(cancel);
    return () => {
      timers.delete(cancel);
      cancel();
    };
  };

  /** Returns a function that does nothing once the process has crashed, even if it has started again. */
  const guard = <Given extends readonly unknown[]>(run: (...given: Given) => void) => {
    const born = life;
    return (...given: Given): void => {
      if (alive && born === life) {
        run(...given);
      }
    };
  };
  const after = (ms: number, run: () => void): void => void timeline.after(ms, 'event', guard(run));

  /** The clock of the machine, which is wrong by a constant. */
  const clock: Clock = {
    now: () => timeline.now() + skewMs,
    sleep: (ms, signal) => sleepOn(timer, ms, signal),
  };

  return {
    name,
    clock,
    guard,
    after,
    /** Waits on behalf of the simulation, such as the work of a handler. */
    work: (ms: number) => new Promise<void>((resolve) => after(ms, resolve)),
    /** How often it has started. */
    get life() {
      return life;
    },
    get alive() {
      return alive;
    },
    /** The number of waits on its clock. */
    get timers() {
      return timers.size;
    },
    crash(): void {
      alive = false;
      for (const cancel of timers) {
        cancel();
      }
      timers.clear();
    },
    start(): void {
      life += 1;
      alive = true;
    },
  };
};

export type Machine = ReturnType<typeof createMachine>;
