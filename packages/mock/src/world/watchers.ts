import { nextTurn } from './clock/timers.ts';

/** Ids of changed rows that one event lists; an import of thousands of rows is one event. */
const MAX_IDS = 100;

/** Taken when this module is loaded, which fake timers put in place later do not change. */
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
 * Reports what happens in a world to those who watch it: requests, deliveries, changed rows and the time. While nobody
 * watches, an event costs a single check.
 *
 * Events are reported in a later turn, so that neither a response nor a change of a thousand rows waits for them.
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
        // So that the exception of one becomes an uncaught one, and does not reach the others.
        queueMicrotask(() => watcher(type, data));
      }
    }
  }
}
