import { turn } from './clock/timers.ts';

/** Ids of changed rows that one event lists; an import of thousands of rows is one event. */
const MAX_IDS = 100;

/** What can happen in a world. */
export type WorldEvent = 'request' | 'delivery' | 'rows' | 'clock' | 'restored';

/** Receives the kind of an event and its data. */
type Watcher = (type: WorldEvent, data: unknown) => void;

interface ChangedRows {
  readonly ids: Set<string>;
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
  #rows = new Map<string, ChangedRows>();
  #moved = false;
  #flushing = false;

  /** Whether anyone watches. */
  get any(): boolean {
    return this.#watchers.size > 0;
  }

  /** Reports every event from now on, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  report(type: 'request' | 'delivery' | 'restored', data: unknown): void {
    if (this.#watchers.size > 0) {
      this.#queue.push([type, data]);
      this.#schedule();
    }
  }

  rowChanged(collection: string, id: string): void {
    if (this.#watchers.size === 0) {
      return;
    }
    const changed = this.#rows.get(collection) ?? { ids: new Set(), more: false };
    if (changed.ids.size < MAX_IDS) {
      changed.ids.add(id);
    } else if (!changed.ids.has(id)) {
      changed.more = true;
    }
    this.#rows.set(collection, changed);
    this.#schedule();
  }

  clockMoved(): void {
    if (this.#watchers.size > 0) {
      this.#moved = true;
      this.#schedule();
    }
  }

  #schedule(): void {
    if (!this.#flushing) {
      this.#flushing = true;
      void turn().then(() => this.#flush());
    }
  }

  #flush(): void {
    const [queue, rows, moved] = [this.#queue, this.#rows, this.#moved];
    [this.#queue, this.#rows, this.#moved, this.#flushing] = [[], new Map(), false, false];
    for (const [type, data] of queue) {
      this.#tell(type, data);
    }
    for (const [collection, { ids, more }] of rows) {
      this.#tell('rows', { collection, ids: [...ids], more });
    }
    if (moved) {
      this.#tell('clock', undefined);
    }
  }

  #tell(type: WorldEvent, data: unknown): void {
    for (const watcher of this.#watchers) {
      // So that the exception of one becomes an uncaught one, and does not reach the others.
      queueMicrotask(() => watcher(type, data));
    }
  }
}
