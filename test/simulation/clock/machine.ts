import type { Clock } from '@confab/client';
import { sleepOn } from '../../timeline/sleep.ts';
import type { Timeline } from '../../timeline/timeline.ts';

/** A simulated process. When it crashes, nothing that it planned happens any more. */
export interface Machine {
  readonly name: string;
  /** Counts the starts. */
  readonly life: number;
  readonly alive: boolean;
  /** The clock of its machine, which may be wrong by a constant. */
  readonly clock: Clock;
  /** Waits on behalf of the simulation, such as the work of a handler. */
  work(ms: number): Promise<void>;
  /** Calls back later, unless the process has crashed by then. */
  after(ms: number, run: () => void): void;
  /** A function that does nothing once the process has crashed. */
  guard<Given extends readonly unknown[]>(run: (...given: Given) => void): (...given: Given) => void;
  /** The number of waits on its clock. */
  readonly timers: number;
  crash(): void;
  start(): void;
}

/** Creates a process that runs. */
export const createMachine = (timeline: Timeline, name: string, skewMs = 0): Machine => {
  let life = 1;
  let alive = true;
  const timers = new Set<() => void>();

  /** Plans a timer that ends with the process. */
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

  const machine: Machine = {
    name,
    get life() {
      return life;
    },
    get alive() {
      return alive;
    },
    clock: {
      now: () => timeline.now() + skewMs,
      sleep: (ms, signal) => sleepOn(timer, ms, signal),
    },
    work: (ms) => new Promise((resolve) => machine.after(ms, resolve)),
    after(ms, run) {
      timeline.after(ms, 'event', machine.guard(run));
    },
    guard(run) {
      const born = life;
      return (...given) => {
        if (alive && born === life) {
          run(...given);
        }
      };
    },
    get timers() {
      return timers.size;
    },
    crash() {
      alive = false;
      for (const cancel of timers) {
        cancel();
      }
      timers.clear();
    },
    start() {
      life += 1;
      alive = true;
    },
  };
  return machine;
};
