/** The number of entries before the first one that is not before something, found by halving. */
export const countWhile = <Entry>(sorted: readonly Entry[], isBefore: (entry: Entry) => boolean): number => {
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

/** Members in the order of their scores, as a sorted set of Redis keeps them; of equal scores, the lower member first. */
export class SortedSet<Member extends number | string> {
  readonly #scores = new Map<Member, number>();
  readonly #sorted: Member[] = [];

  get size(): number {
    return this.#sorted.length;
  }

  has(member: Member): boolean {
    return this.#scores.has(member);
  }

  /** Adds a member, or changes its score. */
  set(member: Member, score: number): void {
    this.delete(member);
    this.#sorted.splice(this.#placeOf(member, score), 0, member);
    this.#scores.set(member, score);
  }

  delete(member: Member): void {
    const rank = this.rankOf(member);
    if (rank !== undefined) {
      this.#sorted.splice(rank, 1);
      this.#scores.delete(member);
    }
  }

  /** Removes every member with a score up to this one. */
  removeUpTo(score: number): void {
    for (const member of this.#sorted.splice(0, this.countUpTo(score))) {
      this.#scores.delete(member);
    }
  }

  scoreAt(index: number): number {
    return this.#scores.get(this.#sorted[index] as Member) ?? Number.POSITIVE_INFINITY;
  }

  /** The number of members before this one; undefined if it is not in the set. */
  rankOf(member: Member): number | undefined {
    const score = this.#scores.get(member);
    return score === undefined ? undefined : this.#placeOf(member, score);
  }

  /** The number of members with a score up to this one. */
  countUpTo(score: number): number {
    return countWhile(this.#sorted, (each) => (this.#scores.get(each) ?? 0) <= score);
  }

  #placeOf(member: Member, score: number): number {
    const scoreOf = (each: Member) => this.#scores.get(each) ?? 0;
    return countWhile(
      this.#sorted,
      (each) => scoreOf(each) < score || (scoreOf(each) === score && each < member),
    );
  }
}
