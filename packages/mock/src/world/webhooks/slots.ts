/** Admits a limited number of users at a time, in the order of their arrival. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a slot. Resolves to a function that returns it.
   *
   * @throws The signal's reason, when it aborts.
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await this.#turn(signal);
    }
    return this.#giveBack;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.delete(onTurn);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(onTurn);
    });
  }

  /** Passes the slot on directly, so that nobody who arrives later can take it first. */
  readonly #giveBack = (): void => {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  };
}
