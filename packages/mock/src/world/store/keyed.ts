/** Each level of the trie uses so many bits of the hash: a node has at most 32 slots. */
const BITS = 5;

/** Where the hash is used up. Items below this level share all of it. */
const END = 30;

/** The slots of one level, without the empty ones: each set bit of `used` stands for one. */
class Branch<T> {
  readonly used: number;
  readonly slots: readonly Node<T>[];

  constructor(used: number, slots: readonly Node<T>[]) {
    this.used = used;
    this.slots = slots;
  }
}

/** Items whose keys have the same hash. */
class Bucket<T> {
  readonly items: readonly T[];

  constructor(items: readonly T[]) {
    this.items = items;
  }
}

type Node<T> = Branch<T> | Bucket<T> | T;

/** Returns an FNV-1a hash with its bits mixed, because the trie starts with the lowest ones. */
const hashOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (2 ** END - 1);
};

const countBits = (bits: number): number => {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

const bitOf = (hash: number, shift: number): number => 1 << ((hash >>> shift) & (2 ** BITS - 1));

const slotOf = (used: number, bit: number): number => countBits(used & (bit - 1));

/**
 * Items by a text that each has to itself. It never changes: adding and removing return a new one, which shares all but
 * one path with the old, so a snapshot of any size is a copy of one reference.
 *
 * It is a hash trie. A search compares bits of the hash, level by level, and looks at one item only. In a sorted tree, it
 * would look at one item for each comparison, and in a large world none of them is in the processor's cache.
 */
export class Keyed<T extends object> {
  readonly #keyOf: (item: T) => string;
  readonly #root: Branch<T>;

  private constructor(keyOf: (item: T) => string, root: Branch<T>) {
    this.#keyOf = keyOf;
    this.#root = root;
  }

  /** Of two items with the same key, the later one replaces the earlier. */
  static by<T extends object>(keyOf: (item: T) => string, items: Iterable<T> = []): Keyed<T> {
    let keyed = new Keyed(keyOf, new Branch<T>(0, []));
    for (const item of items) {
      keyed = keyed.with(item);
    }
    return keyed;
  }

  get(key: string): T | undefined {
    const hash = hashOf(key);
    let node: Node<T> | undefined = this.#root;
    for (let shift = 0; node instanceof Branch; shift += BITS) {
      const bit = bitOf(hash, shift);
      node = (node.used & bit) === 0 ? undefined : node.slots[slotOf(node.used, bit)];
    }
    if (node instanceof Bucket) {
      return node.items.find((item) => this.#keyOf(item) === key);
    }
    return node !== undefined && this.#keyOf(node) === key ? node : undefined;
  }

  /** The same with this item in it, in place of the one with its key if there is one. */
  with(item: T): Keyed<T> {
    const key = this.#keyOf(item);
    return new Keyed(this.#keyOf, this.#inserted(this.#root, item, key, hashOf(key), 0) as Branch<T>);
  }

  /** The same without the item that has this item's key. */
  without(item: T): Keyed<T> {
    const key = this.#keyOf(item);
    if (this.get(key) === undefined) {
      return this;
    }
    return new Keyed(this.#keyOf, this.#removed(this.#root, key, hashOf(key), 0) as Branch<T>);
  }

  #inserted(node: Node<T> | undefined, item: T, key: string, hash: number, shift: number): Node<T> {
    if (node instanceof Branch) {
      const bit = bitOf(hash, shift);
      const at = slotOf(node.used, bit);
      const there = (node.used & bit) === 0 ? undefined : node.slots[at];
      const slots = node.slots.slice();
      slots.splice(at, there === undefined ? 0 : 1, this.#inserted(there, item, key, hash, shift + BITS));
      return new Branch(node.used | bit, slots);
    }
    if (node instanceof Bucket) {
      return new Bucket([...node.items.filter((other) => this.#keyOf(other) !== key), item]);
    }
    if (node === undefined || this.#keyOf(node) === key) {
      return item;
    }
    if (shift >= END) {
      return new Bucket([node, item]);
    }
    // Two items meet in a slot: it becomes a level of its own.
    const bit = bitOf(hashOf(this.#keyOf(node)), shift);
    return this.#inserted(new Branch(bit, [node]), item, key, hash, shift);
  }

  /** Returns the node without the item with this key, which must be in it. */
  #removed(node: Node<T>, key: string, hash: number, shift: number): Node<T> | undefined {
    if (node instanceof Bucket) {
      return new Bucket(node.items.filter((item) => this.#keyOf(item) !== key));
    }
    if (!(node instanceof Branch)) {
      return undefined;
    }
    const bit = bitOf(hash, shift);
    const at = slotOf(node.used, bit);
    const left = this.#removed(node.slots[at] as Node<T>, key, hash, shift + BITS);
    const slots = node.slots.slice();
    slots.splice(at, 1, ...(left === undefined ? [] : [left]));
    const used = left === undefined ? node.used & ~bit : node.used;
    // Only the root stays when it is empty.
    return used === 0 && shift > 0 ? undefined : new Branch(used, slots);
  }
}
