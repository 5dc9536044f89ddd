/** A queue that can be left from the middle. */
export interface Fifo<T> {
  readonly size: number;
  /** @returns Takes the item out again, wherever it stands. */
  add(item: T): () => void;
  first(): T | undefined;
  all(): T[];
}

/** Not a `Set`: with its first items deleted, finding the first of the rest takes longer and longer. */
export const createFifo = <T extends object>(): Fifo<T> => {
  let items: (T | undefined)[] = [];
  let head = 0;
  /** Items cut off at the front so far. */
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
