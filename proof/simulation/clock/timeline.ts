/** What an entry of the timeline is: a step of the simulation, or a timer of the code under test. */
type EntryKind = 'event' | 'timer';

interface Entry {
  readonly at: number;
  /** Entries of the same moment fire in the order in which they were made. */
  readonly order: number;
  readonly kind: EntryKind;
  readonly run: () => void;
  canceled: boolean;
}

/** The only clock of a simulation: everything that happens later is an entry in one heap. */
export interface Timeline {
  /** Milliseconds since 1970. */
  now(): number;
  /** Plans something in `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, kind: EntryKind, run: () => void): () => void;
  /** Moves on to the next entry and fires it. Returns false if there is none. */
  step(): boolean;
  /** The number of entries that wait. */
  waiting(kind: EntryKind): number;
  /** The number of entries that have fired. */
  readonly fired: number;
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Moves the last entry of a heap to its place. */
const siftUp = (heap: Entry[]): void => {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const [entry, above] = [heap[at] as Entry, heap[parent] as Entry];
    if (!isBefore(entry, above)) {
      return;
    }
    [heap[at], heap[parent]] = [above, entry];
    at = parent;
  }
};

/** Moves the first entry of a heap to its place. */
const siftDown = (heap: Entry[]): void => {
  let at = 0;
  for (;;) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isBefore(heap[child] as Entry, heap[least] as Entry)) {
        least = child;
      }
    }
    if (least === at) {
      return;
    }
    [heap[at], heap[least]] = [heap[least] as Entry, heap[at] as Entry];
    at = least;
  }
};

/** Removes the first entry of a heap. */
const takeFirst = (heap: Entry[]): Entry | undefined => {
  const [first] = heap;
  const last = heap.pop();
  if (last !== undefined && last !== first) {
    heap[0] = last;
    siftDown(heap);
  }
  return first;
};

/** Creates a timeline that starts at the given milliseconds since 1970. */
export const createTimeline = (start: number): Timeline => {
  const heap: Entry[] = [];
  const waiting = { event: 0, timer: 0 };
  let now = start;
  let orders = 0;
  let fired = 0;

  return {
    now: () => now,
    after(ms, kind, run) {
      orders += 1;
      const entry: Entry = { at: now + Math.max(0, ms), order: orders, kind, run, canceled: false };
      heap.push(entry);
      siftUp(heap);
      waiting[kind] += 1;
      return () => {
        if (!entry.canceled) {
          entry.canceled = true;
          waiting[kind] -= 1;
        }
      };
    },
    step() {
      for (let entry = takeFirst(heap); entry !== undefined; entry = takeFirst(heap)) {
        if (entry.canceled) {
          continue;
        }
        entry.canceled = true;
        waiting[entry.kind] -= 1;
        now = entry.at;
        fired += 1;
        entry.run();
        return true;
      }
      return false;
    },
    waiting: (kind) => waiting[kind],
    get fired() {
      return fired;
    },
  };
};
