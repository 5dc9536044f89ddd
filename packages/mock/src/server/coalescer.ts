/** Milliseconds of real time between two reports: an eye sees no difference, and a mock under load does little for it. */
export const PERIOD = 200;

/**
 * Reports what has changed, as a set of kinds. The first change is reported in the next turn of the event loop; those
 * that follow are reported together, at the end of each period. Another change of a kind that waits costs a lookup.
 */
export class Coalescer<Kind> {
  readonly #report: (kinds: readonly Kind[]) => void;
  readonly #waiting = new Set<Kind>();
  #immediate: NodeJS.Immediate | undefined;
  #period: NodeJS.Timeout | undefined;

  constructor(report: (kinds: readonly Kind[]) => void) {
    this.#report = report;
  }

  add(kind: Kind): void {
    this.#waiting.add(kind);
    if (this.#period === undefined) {
      // Later, because a request that changes rows is two changes.
      this.#immediate ??= setImmediate(() => this.#flush());
    }
  }

  stop(): void {
    clearImmediate(this.#immediate);
    clearTimeout(this.#period);
  }

  #flush(): void {
    this.#immediate = undefined;
    const kinds = [...this.#waiting];
    this.#waiting.clear();
    this.#period = setTimeout(() => {
      this.#period = undefined;
      if (this.#waiting.size > 0) {
        this.#flush();
      }
    }, PERIOD);
    this.#period.unref();
    this.#report(kinds);
  }
}
