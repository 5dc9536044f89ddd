/** Counts the entries at the start of a sorted array that are before something, by binary search. */
export const countBefore = <Entry>(sorted: readonly Entry[], isBefore: (entry: Entry) => boolean): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle] as Entry)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
};

interface Entry<Member> {
  readonly member: Member;
  readonly score: number;
}

/** Members in the order of their scores, as in a sorted set of Redis. Members with equal scores are in ascending order. */
export class SortedSet<Member extends number | string> {
  readonly #entries = new Map<Member, Entry<Member>>();
  readonly #sorted: Entry<Member>[] = [];

  get size(): number {
    return this.#sorted.length;
  }

  has(member: Member): boolean {
    return this.#entries.has(member);
  }

  /** Adds a member, or changes its score. */
  set(member: Member, score: number): void {
    this.delete(member);
    const entry = { member, score };
    this.#sorted.splice(this.#placeOf(entry), 0, entry);
    this.#entries.set(member, entry);
  }

  delete(member: Member): void {
    const rank = this.rankOf(member);
    if (rank !== undefined) {
      this.#sorted.splice(rank, 1);
      this.#entries.delete(member);
    }
  }

  /** Removes every member with a score up to this one. */
  removeUpTo(score: number): void {
    for (const { member } of this.#sorted.splice(0, this.countUpTo(score))) {
      this.#entries.delete(member);
    }
  }

  scoreAt(index: number): number | undefined {
    return this.#sorted[index]?.score;
  }

  /** The number of members before this one; undefined if it is not in the set. */
  rankOf(member: Member): number | undefined {
    const entry = this.#entries.get(member);
    return entry && this.#placeOf(entry);
  }

  /** The number of members with a score up to this one. */
  countUpTo(score: number): number {
    return countBefore(this.#sorted, (entry) => entry.score <= score);
  }

  #placeOf({ score, member }: Entry<Member>): number {
    return countBefore(
      this.#sorted,
      (entry) => entry.score < score || (entry.score === score && entry.member < member),
    );
  }
}
