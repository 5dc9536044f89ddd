/** The time from when a world was made, or put back, until it is put back: requests belong to the one they came in. */
export class Era {
  #over = false;
  readonly #ends = new Set<() => void>();

  get over(): boolean {
    return this.#over;
  }

  /** Calls back when it is over, at once if it is; returns what takes that back. */
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

/** Tells requests that are still being answered when the world that they came to is gone. */
export class Eras {
  #current = new Era();

  get current(): Era {
    return this.#current;
  }

  /** Ends the present one. */
  next(): void {
    const before = this.#current;
    this.#current = new Era();
    before.end();
  }
}
