import { nextTurn } from './clock/real-timers.ts';

/** The most ids of changed rows that one event lists: an import of thousands of rows is one event. */
const MAX_IDS = 100;

/** Taken when this module is loaded, so that fake timers do not replace it later. */
const { queueMicrotask } = globalThis;

/** What can happen in a world. */
export type WorldEvent = 'request' | 'delivery' | 'rows' | 'clock' | 'restored';

/** Receives the kind of an event and its data. */
type Watcher = (type: WorldEvent, data: unknown) => void;

interface ChangedRows {
  readonly collection: string;
  readonly ids: string[];
  /** Whether rows changed that the ids leave out. */
  more: boolean;
}

/**
 * Reports requests, deliveries, changed rows and moves of the clock to watchers, such as the inspector. Without a watcher,
 * an event costs a single check.
 *
 * Events are reported in a later turn of the event loop, so that no response waits for them.
 */
export class Watchers {
  readonly #watchers = new Set<Watcher>();
  #queue: (readonly [type: WorldEvent, data: unknown])[] = [];
  /** The changed rows in the queue, by their collection. */
  readonly #rows = new Map<string, ChangedRows>();
  #moved = false;

  /** Reports every event from now on, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  report(type: WorldEvent, data: unknown): void {
    if (this.#watchers.size === 0) {
      return;
    }
    if (this.#queue.length === 0) {
      void nextTurn().then(() => this.#flush());
    }
    this.#queue.push([type, data]);
  }

  rowChanged(collection: string, id: string): void {
    if (this.#watchers.size === 0) {
      return;
    }
    let changed = this.#rows.get(collection);
    if (changed === undefined) {
      changed = { collection, ids: [], more: false };
      this.#rows.set(collection, changed);
      this.report('rows', changed);
    }
    if (changed.ids.includes(id)) {
      return;
    }
    if (changed.ids.length < MAX_IDS) {
      changed.ids.push(id);
    } else {
      changed.more = true;
    }
  }

  clockMoved(): void {
    if (!this.#moved && this.#watchers.size > 0) {
      this.#moved = true;
      this.report('clock', undefined);
    }
  }

  #flush(): void {
    const queue = this.#queue;
    [this.#queue, this.#moved] = [[], false];
    this.#rows.clear();
    for (const [type, data] of queue) {
      for (const watcher of this.#watchers) {
        // An exception of one watcher must not reach the others: this way, it is an uncaught exception.
        queueMicrotask(() => watcher(type, data));
      }
    }
  }
}
