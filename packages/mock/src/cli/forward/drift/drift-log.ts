import { oneLine } from '@confab/internal';
import type { Drift } from './drift.ts';
import { driftText } from './drift.ts';

/** More kinds than any service has; a hostile one can make up new field names forever. */
const MOST_KINDS = 1_000;

/** Characters of a line. */
const LONGEST = 400;

/** Counts what drifts, and reports each kind of it once. */
export class DriftLog {
  readonly #counts = new Map<string, number>();
  readonly #report: (line: string) => void;
  #unlisted = 0;

  /** @param report Called with a line for each new kind of drift. */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** @param redact Removes the keys from what the service or the caller wrote. */
  add(drifts: readonly Drift[], redact: (text: string, most?: number) => string): void {
    // A response with a hundred rows repeats the drift of one row.
    for (const line of new Set(drifts.map((drift) => oneLine(redact(driftText(drift), LONGEST))))) {
      const count = this.#counts.get(line);
      if (count === undefined && this.#counts.size >= MOST_KINDS) {
        this.#unlisted += 1;
        continue;
      }
      this.#counts.set(line, (count ?? 0) + 1);
      if (count === undefined) {
        this.#report(line);
      }
    }
  }

  /** A line for each kind of drift, with the number of requests that had it, most frequent first. */
  summary(): string[] {
    const lines = [...this.#counts]
      .sort(([, a], [, b]) => b - a)
      .map(([line, count]) => `${count} × ${line}`);
    return this.#unlisted > 0 ? [...lines, `${this.#unlisted} × drift of further kinds, not listed`] : lines;
  }
}
