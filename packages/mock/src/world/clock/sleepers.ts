import type { SleepPurpose } from './clock.ts';

/** A wait on the virtual clock. */
export interface Sleeper {
  /** When the wait ends, in milliseconds since 1970. */
  wakeAt: number;
  readonly purpose: SleepPurpose | 'retry';
  readonly wake: () => void;
}

/** The waits on a virtual clock, sorted by their end, and then by the order of `add()`. */
export class Sleepers {
  readonly #inOrder: Sleeper[] = [];

  get next(): Sleeper | undefined {
    return this.#inOrder[0];
  }

  /** Adds a sleeper, until the returned function is called. */
  add(sleeper: Sleeper): () => void {
    const last = this.#inOrder.findLastIndex(({ wakeAt }) => wakeAt <= sleeper.wakeAt);
    this.#inOrder.splice(last + 1, 0, sleeper);
    return () => {
      this.#inOrder.splice(this.#inOrder.indexOf(sleeper), 1);
    };
  }

  /** Moves the ends of all waits by `ms` milliseconds. */
  shift(ms: number): void {
    for (const sleeper of this.#inOrder) {
      sleeper.wakeAt += ms;
    }
  }
}
