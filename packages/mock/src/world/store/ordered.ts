/** Most items in a leaf, and most children of a branch. */
const WIDTH = 64;

interface Leaf<T> {
  readonly items: readonly T[];
}

interface Branch<T> {
  readonly children: readonly Node<T>[];
  /** Items below. */
  readonly size: number;
  /** The smallest item below. */
  readonly first: T;
}

type Node<T> = Leaf<T> | Branch<T>;

const isLeaf = <T>(node: Node<T>): node is Leaf<T> => 'items' in node;

const sizeOf = <T>(node: Node<T>): number => (isLeaf(node) ? node.items.length : node.size);

const firstOf = <T>(node: Node<T>): T => (isLeaf(node) ? (node.items[0] as T) : node.first);

const branch = <T>(children: readonly Node<T>[]): Branch<T> => {
  let size = 0;
  for (const child of children) {
    size += sizeOf(child);
  }
  return { children, size, first: firstOf(children[0] as Node<T>) };
};

/** How many leading elements satisfy a test that no element satisfies after the first that does not. */
const countLeading = <E>(elements: readonly E[], test: (element: E) => boolean): number => {
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(elements[middle] as E)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

const replaced = <E>(elements: readonly E[], index: number, ...by: E[]): E[] => {
  const copy = elements.slice();
  copy.splice(index, 1, ...by);
  return copy;
};

const inserted = <E>(elements: readonly E[], index: number, element: E): E[] => {
  const copy = elements.slice();
  copy.splice(index, 0, element);
  return copy;
};

/** Halves what has grown too wide; a node is never left empty. */
const split = <T, E>(elements: readonly E[], make: (part: readonly E[]) => Node<T>): Node<T>[] => {
  if (elements.length <= WIDTH) {
    return [make(elements)];
  }
  const middle = elements.length >>> 1;
  return [make(elements.slice(0, middle)), make(elements.slice(middle))];
};

const leaf = <T>(items: readonly T[]): Leaf<T> => ({ items });

const chunk = <E>(elements: readonly E[]): E[][] => {
  const chunks: E[][] = [];
  for (let at = 0; at < elements.length; at += WIDTH) {
    chunks.push(elements.slice(at, at + WIDTH));
  }
  return chunks;
};

/**
 * A sorted set that never changes: adding and removing give a new set, which shares all but one path with the old.
 *
 * That makes a snapshot of any size a copy of one reference, and the counts in the branches make the n-th item,
 * and the number of items before a point, O(log n): a page of a list costs the same however long the list is.
 *
 * It is a B+ tree. A removal does not merge thin nodes, it only drops empty ones: the tree never gets deeper by
 * it, and a world of test data does not live long enough to gain from more.
 */
export class Ordered<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #root: Node<T> | undefined;

  private constructor(compare: (a: T, b: T) => number, root: Node<T> | undefined) {
    this.#compare = compare;
    this.#root = root;
  }

  /** Two items that compare as 0 are the same item: the later one replaces the earlier. */
  static by<T>(compare: (a: T, b: T) => number, items: Iterable<T> = []): Ordered<T> {
    const sorted = [...items].sort(compare);
    // The sort is stable, so the last of its equals is the one that came last.
    const unique = sorted.filter((item, at) => {
      const next = sorted[at + 1];
      return next === undefined || compare(item, next) !== 0;
    });
    let level: Node<T>[] = chunk(unique).map(leaf);
    while (level.length > 1) {
      level = chunk(level).map(branch);
    }
    return new Ordered(compare, level[0]);
  }

  get size(): number {
    return this.#root === undefined ? 0 : sizeOf(this.#root);
  }

  /** The set with this item in it, in place of its equal if there is one. */
  with(item: T): Ordered<T> {
    if (this.#root === undefined) {
      return new Ordered(this.#compare, leaf([item]));
    }
    const nodes = this.#inserted(this.#root, item);
    return new Ordered(this.#compare, nodes.length === 1 ? nodes[0] : branch(nodes));
  }

  /** The set without the equal of this item. */
  without(item: T): Ordered<T> {
    if (this.#root === undefined) {
      return this;
    }
    let root = this.#removed(this.#root, item);
    if (root === this.#root) {
      return this;
    }
    while (root !== undefined && !isLeaf(root) && root.children.length === 1) {
      root = root.children[0];
    }
    return new Ordered(this.#compare, root);
  }

  /**
   * How many items come before a point.
   *
   * @param isBefore True for the items before the point; they must be the first ones.
   */
  rank(isBefore: (item: T) => boolean): number {
    let node = this.#root;
    let rank = 0;
    while (node !== undefined) {
      if (isLeaf(node)) {
        return rank + countLeading(node.items, isBefore);
      }
      // The point lies inside the last child whose first item is before it.
      const inside = countLeading(node.children, (child) => isBefore(firstOf(child))) - 1;
      if (inside < 0) {
        return rank;
      }
      for (const child of node.children.slice(0, inside)) {
        rank += sizeOf(child);
      }
      node = node.children[inside];
    }
    return rank;
  }

  /** The item at a place in the order, from 0. */
  at(index: number): T | undefined {
    return this.slice(index, index + 1)[0];
  }

  /** The items from one place in the order up to, not including, another. */
  slice(start = 0, end = this.size): T[] {
    const found: T[] = [];
    if (this.#root !== undefined && end > start) {
      collect(this.#root, Math.max(start, 0), end, found);
    }
    return found;
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.slice()[Symbol.iterator]();
  }

  #inserted(node: Node<T>, item: T): Node<T>[] {
    if (isLeaf(node)) {
      const at = countLeading(node.items, (other) => this.#compare(other, item) < 0);
      const there = node.items[at];
      if (there !== undefined && this.#compare(there, item) === 0) {
        return [leaf(replaced(node.items, at, item))];
      }
      return split(inserted(node.items, at, item), leaf);
    }
    const at = this.#childFor(node, item);
    const grown = this.#inserted(node.children[at] as Node<T>, item);
    return split(replaced(node.children, at, ...grown), branch);
  }

  #removed(node: Node<T>, item: T): Node<T> | undefined {
    if (isLeaf(node)) {
      const at = node.items.findIndex((other) => this.#compare(other, item) === 0);
      if (at === -1) {
        return node;
      }
      return node.items.length === 1 ? undefined : leaf(replaced(node.items, at));
    }
    const at = this.#childFor(node, item);
    const child = node.children[at] as Node<T>;
    const shrunk = this.#removed(child, item);
    if (shrunk === child) {
      return node;
    }
    const children = replaced(node.children, at, ...(shrunk === undefined ? [] : [shrunk]));
    return children.length === 0 ? undefined : branch(children);
  }

  /** The child that holds the item, or would. */
  #childFor(node: Branch<T>, item: T): number {
    return Math.max(0, countLeading(node.children, (child) => this.#compare(firstOf(child), item) <= 0) - 1);
  }
}

const collect = <T>(node: Node<T>, start: number, end: number, into: T[]): void => {
  if (isLeaf(node)) {
    into.push(...node.items.slice(start, end));
    return;
  }
  let passed = 0;
  for (const child of node.children) {
    const size = sizeOf(child);
    if (passed + size > start) {
      collect(child, Math.max(start - passed, 0), end - passed, into);
    }
    passed += size;
    if (passed >= end) {
      return;
    }
  }
};
