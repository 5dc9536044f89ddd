import { countBefore } from './sorted-set.ts';

/** Whether an entry is an event of the simulation, or a timer of the code under test. */
type EntryKind = 'event' | 'timer';

interface Entry {
  readonly at: number;
  readonly kind: EntryKind;
  readonly run: () => void;
  isWaiting: boolean;
}

/**
 * The only clock of a simulation: a list of everything that happens later. Entries of the same moment fire in the order in
 * which they were planned.
 */
export interface Timeline {
  /** Milliseconds since 1970. */
  now(): number;
  /** Plans an entry in `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, kind: EntryKind, run: () => void): () => void;
  /** The time of the next entry, or `Infinity` if there is none. */
  next(): number;
  /** Moves on to the next entry and fires it. Returns false if there is none. */
  step(): boolean;
  /** The number of entries of a kind that have not fired. */
  waiting(kind: EntryKind): number;
  /** The number of entries that have fired. */
  readonly fired: number;
}

/** Creates a timeline that starts at the given milliseconds since 1970. */
export const createTimeline = (start: number): Timeline => {
  /** The next entry comes last, because removing the last one is fast. */
  const entries: Entry[] = [];
  const waiting = { event: 0, timer: 0 };
  let now = start;
  let fired = 0;

  const end = (entry: Entry): void => {
    if (entry.isWaiting) {
      entry.isWaiting = false;
      waiting[entry.kind] -= 1;
    }
  };

  const next = (): number => {
    while (entries.at(-1)?.isWaiting === false) {
      entries.pop();
    }
    return entries.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  };

  return {
    now: () => now,
    after(ms, kind, run) {
      const entry = { at: now + Math.max(0, ms), kind, run, isWaiting: true };
      const place = countBefore(entries, ({ at }) => at > entry.at);
      entries.splice(place, 0, entry);
      waiting[kind] += 1;
      // A canceled entry stays in the list until its time has come.
      return () => end(entry);
    },
    next,
    step() {
      const at = next();
      const entry = entries.pop();
      if (entry === undefined) {
        return false;
      }
      now = at;
      end(entry);
      fired += 1;
      entry.run();
      return true;
    },
    waiting: (kind) => waiting[kind],
    get fired() {
      return fired;
    },
  };
};
