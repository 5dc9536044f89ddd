/** A queue that returns the entry with the lowest key first; of equal keys, the one that was added first. */
export class Heap<T> {
  readonly #entries: { readonly key: number; readonly order: number; readonly value: T }[] = [];
  #added = 0;

  /** The lowest key. */
  get lowest(): number | undefined {
    return this.#entries[0]?.key;
  }

  /** The value that `take()` would return. */
  get first(): T | undefined {
    return this.#entries[0]?.value;
  }

  add(key: number, value: T): void {
    this.#added += 1;
    const entry = { key, order: this.#added, value };
    let at = this.#entries.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#precedes(entry, above)) {
        break;
      }
      this.#move(above, at);
      at = above;
    }
    this.#entries[at] = entry;
  }

  /** Removes the entry with the lowest key, and returns its value. */
  take(): T | undefined {
    const [first] = this.#entries;
    const last = this.#entries.pop();
    if (first === undefined || last === undefined || this.#entries.length === 0) {
      return first?.value;
    }
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const next = this.#before(right, left) ? right : left;
      if (next >= this.#entries.length || this.#precedes(last, next)) {
        break;
      }
      this.#move(next, at);
      at = next;
    }
    this.#entries[at] = last;
    return first.value;
  }

  #move(from: number, to: number): void {
    const entry = this.#entries[from];
    if (entry !== undefined) {
      this.#entries[to] = entry;
    }
  }

  #before(one: number, other: number): boolean {
    const entry = this.#entries[one];
    return entry !== undefined && this.#precedes(entry, other);
  }

  #precedes(entry: { readonly key: number; readonly order: number }, other: number): boolean {
    const second = this.#entries[other];
    return (
      second === undefined ||
      entry.key < second.key ||
      (entry.key === second.key && entry.order < second.order)
    );
  }
}
