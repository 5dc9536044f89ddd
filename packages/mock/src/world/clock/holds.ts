import type { Hold } from './clock.ts';
import { patientTimer } from './timers.ts';

/** Real milliseconds after which code that runs in real time holds nothing back any more: it may never end. */
const MAX_HOLD: Readonly<Partial<Record<Hold | 'drive', number>>> = { test: 10_000, receiver: 1_000 };

/** Counts what drives the time of a clock, and what holds it back. */
export class Holds implements Readonly<Record<Hold | 'drive', number>> {
  work = 0;
  test = 0;
  receiver = 0;
  drive = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Counts something that lasts, until the returned function is called, or its {@link MAX_HOLD} is over. */
  begin(what: Hold | 'drive'): () => void {
    this[what] += 1;
    this.#onChange();
    let isOver = false;
    const end = () => {
      if (!isOver) {
        isOver = true;
        cancel?.();
        this[what] -= 1;
        this.#onChange();
      }
    };
    const limit = MAX_HOLD[what];
    const cancel = limit === undefined ? undefined : patientTimer(limit, end);
    return end;
  }
}
