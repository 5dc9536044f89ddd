/** Counts how work ended, by name, and remembers the first failures that no one expected. */
export class Outcomes {
  readonly counts = new Map<string, number>();
  readonly unexpected: string[] = [];
  #unexpected = 0;

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Notes a failure that must not happen. */
  fail(what: string, error: unknown): void {
    this.#unexpected += 1;
    if (this.unexpected.length < 10) {
      this.unexpected.push(`${what}: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
    }
  }

  /** The number of failures that must not happen. */
  get failures(): number {
    return this.#unexpected;
  }
}
