import { rejectOnAbort } from '@confab/internal';

/** A limited number of slots, given out in the order in which they were requested. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a slot. Call `release()` when you no longer need it.
   *
   * @throws The signal's reason, when it aborts. There is no slot to release then.
   */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    let next = () => {};
    const turn = new Promise<void>((resolve) => {
      next = resolve;
    });
    this.#waiting.add(next);
    try {
      await rejectOnAbort(turn, signal);
    } catch (reason) {
      if (!this.#waiting.delete(next)) {
        // The slot was passed on a moment before the abort.
        this.release();
      }
      throw reason;
    }
  }

  /** Passes the slot directly to the next in line, so that no later request can take it first. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
    } else {
      this.#waiting.delete(next);
      next();
    }
  }
}
