import { Heap } from './heap.ts';

/** What an entry of the timeline is: a step of the simulation, or a timer of the code under test. */
type EntryKind = 'event' | 'timer';

interface Entry {
  readonly kind: EntryKind;
  readonly run: () => void;
  canceled: boolean;
}

/**
 * The only clock of a simulation: everything that happens later is an entry in one heap. Entries of the same moment fire
 * in the order in which they were planned.
 */
export interface Timeline {
  /** Milliseconds since 1970. */
  now(): number;
  /** Plans something in `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, kind: EntryKind, run: () => void): () => void;
  /** The time of the next entry, or `Infinity` if there is none. */
  next(): number;
  /** Moves on to the next entry and fires it. Returns false if there is none. */
  step(): boolean;
  /** The number of entries that wait. */
  waiting(kind: EntryKind): number;
  /** The number of entries that have fired. */
  readonly fired: number;
}

/** Creates a timeline that starts at the given milliseconds since 1970. */
export const createTimeline = (start: number): Timeline => {
  const heap = new Heap<Entry>();
  const waiting = { event: 0, timer: 0 };
  let now = start;
  let fired = 0;

  /** Removes the entries that were canceled before their time came. */
  const dropCanceled = (): void => {
    while (heap.first?.canceled) {
      heap.take();
    }
  };

  return {
    now: () => now,
    after(ms, kind, run) {
      const entry: Entry = { kind, run, canceled: false };
      heap.add(now + Math.max(0, ms), entry);
      waiting[kind] += 1;
      return () => {
        if (!entry.canceled) {
          entry.canceled = true;
          waiting[kind] -= 1;
        }
      };
    },
    next() {
      dropCanceled();
      return heap.lowest ?? Number.POSITIVE_INFINITY;
    },
    step() {
      dropCanceled();
      const at = heap.lowest;
      const entry = heap.take();
      if (entry === undefined) {
        return false;
      }
      entry.canceled = true;
      waiting[entry.kind] -= 1;
      now = at ?? now;
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
