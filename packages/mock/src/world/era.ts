/** The time from when a world was made, or put back, until it is put back: requests belong to the one they came in. */
export interface Era {
  readonly over: boolean;
  /** Resolves when it is over. */
  readonly end: Promise<void>;
}

/** Tells requests that are still being answered when the world that they came to is gone. */
export class Eras {
  #current = this.#begin();

  get current(): Era {
    return this.#current.era;
  }

  /** Ends the present one. */
  next(): void {
    const { finish } = this.#current;
    this.#current = this.#begin();
    finish();
  }

  #begin(): { readonly era: Era; readonly finish: () => void } {
    let finish = () => {};
    const era = {
      over: false,
      end: new Promise<void>((resolve) => {
        finish = () => {
          era.over = true;
          resolve();
        };
      }),
    };
    return { era, finish };
  }
}
