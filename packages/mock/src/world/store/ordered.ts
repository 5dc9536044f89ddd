/** Most items in a chunk. */
const WIDTH = 512;

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

type Chunk<T> = readonly [T, ...T[]];

const chunksOf = <T>(items: readonly T[], width: number): Chunk<T>[] => {
  const chunks: Chunk<T>[] = [];
  for (let at = 0; at < items.length; at += width) {
    chunks.push(items.slice(at, at + width) as [T, ...T[]]);
  }
  return chunks;
};

/**
 * A sorted set that never changes: adding and removing give a new set, which shares all chunks but one with the old.
 *
 * That makes a snapshot of any size a copy of one reference. To find an item or its rank takes two binary searches, so a
 * page of a list costs the same however long the list is.
 */
export class Ordered<T> {
  readonly compare: (a: T, b: T) => number;
  readonly size: number;
  readonly #chunks: readonly Chunk<T>[];

  private constructor(compare: (a: T, b: T) => number, chunks: readonly Chunk<T>[], size: number) {
    this.compare = compare;
    this.size = size;
    this.#chunks = chunks;
  }

  /** Two items that compare as 0 are the same item: the later one replaces the earlier. */
  static by<T>(compare: (a: T, b: T) => number, items: Iterable<T> = []): Ordered<T> {
    const sorted = [...items].sort(compare);
    // The sort is stable, so the last of its equals is the one that came last.
    const unique = sorted.filter(
      (item, at) => at + 1 === sorted.length || compare(item, sorted[at + 1] as T) !== 0,
    );
    return new Ordered(compare, chunksOf(unique, WIDTH), unique.length);
  }

  /** The set with this item in it, in place of its equal if there is one. */
  with(item: T): Ordered<T> {
    const { at, chunk, place, isThere } = this.#find(item);
    const grown = chunk.toSpliced(place, isThere ? 1 : 0, item);
    // A full chunk is halved.
    const chunks = chunksOf(grown, grown.length > WIDTH ? Math.ceil(grown.length / 2) : WIDTH);
    return new Ordered(this.compare, this.#chunks.toSpliced(at, 1, ...chunks), this.size + (isThere ? 0 : 1));
  }

  /** The set without the equal of this item. */
  without(item: T): Ordered<T> {
    const { at, chunk, place, isThere } = this.#find(item);
    if (!isThere) {
      return this;
    }
    const chunks = chunksOf(chunk.toSpliced(place, 1), WIDTH);
    return new Ordered(this.compare, this.#chunks.toSpliced(at, 1, ...chunks), this.size - 1);
  }

  /**
   * How many items come before a point.
   *
   * @param isBefore True for the items before the point; they must be the first ones.
   */
  rank(isBefore: (item: T) => boolean): number {
    const at = this.#chunkAt(isBefore);
    let rank = countLeading<T>(this.#chunks[at] ?? [], isBefore);
    for (const { length } of this.#chunks.slice(0, at)) {
      rank += length;
    }
    return rank;
  }

  /** The first item after a point. */
  firstAfter(isBefore: (item: T) => boolean): T | undefined {
    const at = this.#chunkAt(isBefore);
    const chunk = this.#chunks[at];
    return chunk?.[countLeading(chunk, isBefore)] ?? this.#chunks[at + 1]?.[0];
  }

  /** The items from one place in the order up to, not including, another. */
  slice(start = 0, end = this.size): T[] {
    const found: T[] = [];
    let passed = 0;
    for (const chunk of this.#chunks) {
      if (passed >= end) {
        break;
      }
      if (passed + chunk.length > start) {
        found.push(...chunk.slice(Math.max(0, start - passed), end - passed));
      }
      passed += chunk.length;
    }
    return found;
  }

  /** The chunk in which a point lies: the last one that begins before it, or the first one. */
  #chunkAt(isBefore: (item: T) => boolean): number {
    return Math.max(0, countLeading(this.#chunks, ([first]) => isBefore(first)) - 1);
  }

  /** The place of an item or its equal, and whether it is there. */
  #find(item: T): { at: number; chunk: readonly T[]; place: number; isThere: boolean } {
    const at = this.#chunkAt((other) => this.compare(other, item) <= 0);
    const chunk: readonly T[] = this.#chunks[at] ?? [];
    const place = countLeading(chunk, (other) => this.compare(other, item) < 0);
    const isThere = place < chunk.length && this.compare(chunk[place] as T, item) === 0;
    return { at, chunk, place, isThere };
  }
}
