/** The time from the creation or restoration of a world to the next one. Requests belong to the era they arrive in. */
export class Era {
  #over = false;
  readonly #ends = new Set<() => void>();

  /** Whether it has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** Calls back when the era ends, or at once if it has ended. The returned function cancels that. */
  onEnd(run: () => void): () => void {
    if (this.#over) {
      run();
    } else {
      this.#ends.add(run);
    }
    return () => this.#ends.delete(run);
  }

  end(): void {
    this.#over = true;
    for (const run of this.#ends) {
      run();
    }
    this.#ends.clear();
  }
}

/** The eras of a world, so that requests still under way learn when their era has ended. */
export class Eras {
  #current = new Era();

  get current(): Era {
    return this.#current;
  }

  /** Ends the current era, and begins another. */
  next(): void {
    const before = this.#current;
    this.#current = new Era();
    before.end();
  }
}
