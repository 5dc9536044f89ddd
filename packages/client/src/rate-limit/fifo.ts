/** A first-in, first-out queue whose items can be removed from any place. */
export interface Fifo<T> {
  readonly size: number;
  /**
   * Adds an item at the end.
   *
   * @returns A function that removes the item.
   */
  add(item: T): () => void;
  first(): T | undefined;
  all(): T[];
}

/** Creates a queue. A `Set` would be too slow: once many first items are deleted, finding the next one takes long. */
export const createFifo = <T extends object>(): Fifo<T> => {
  let items: (T | undefined)[] = [];
  let head = 0;
  /** Number of items cut off at the front so far. */
  let base = 0;
  let size = 0;

  return {
    get size() {
      return size;
    },
    add(item) {
      const place = base + items.length;
      items.push(item);
      size += 1;
      return () => {
        if (items[place - base] !== item) {
          return;
        }
        items[place - base] = undefined;
        size -= 1;
      };
    },
    first() {
      while (head < items.length && items[head] === undefined) {
        head += 1;
      }
      if (head > 1_024 && head * 2 > items.length) {
        items = items.slice(head);
        base += head;
        head = 0;
      }
      return items[head];
    },
    all: () => items.filter((item) => item !== undefined),
  };
};
