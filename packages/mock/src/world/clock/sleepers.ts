import { byId } from '../../sorted/order.ts';
import { Ordered } from '../../sorted/ordered.ts';

/** A wait on the virtual clock. */
export interface Sleeper {
  readonly id: string;
  /** Milliseconds since 1970. */
  wakeAt: number;
  /** Whether it makes time pass. */
  readonly pulls: () => boolean;
  readonly wake: () => void;
}

const byWakeUp = (a: Sleeper, b: Sleeper): number => a.wakeAt - b.wakeAt || byId(a, b);

/** Everything that waits on a virtual clock, in the order of waking up. */
export class Sleepers {
  #sorted = Ordered.by<Sleeper>(byWakeUp);
  #added = 0;

  get size(): number {
    return this.#sorted.size;
  }

  /** The one that wakes up next. */
  get next(): Sleeper | undefined {
    return this.#sorted.at(0);
  }

  /** An id that sorts after all ids before it, so that those due at the same moment wake up in order. */
  nextId(): string {
    this.#added += 1;
    return String(this.#added).padStart(12, '0');
  }

  add(sleeper: Sleeper): void {
    this.#sorted = this.#sorted.with(sleeper);
  }

  remove(sleeper: Sleeper): void {
    this.#sorted = this.#sorted.without(sleeper);
  }

  /** Whether any of them makes time pass. */
  anyPulls(): boolean {
    // Usually the next one does, and asking all of them at each of thousands of wake-ups takes seconds.
    return this.next?.pulls() === true || this.#sorted.slice().some((sleeper) => sleeper.pulls());
  }

  /** Moves all of them by the same number of milliseconds, which keeps their order. */
  shift(ms: number): void {
    for (const sleeper of this.#sorted) {
      sleeper.wakeAt += ms;
    }
  }
}
