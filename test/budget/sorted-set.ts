/** Members in the order of their scores, as a sorted set of Redis keeps them; of equal scores, the lower member first. */
export class SortedSet<Member extends number | string> {
  readonly #entries = new Map<Member, Entry<Member>>();
  /** In order. Nearly all entries are added near the end, so moving the rest costs little. */
  #sorted: Entry<Member>[] = [];
  /** Index of the first entry that was not removed. */
  #first = 0;

  get size(): number {
    return this.#entries.size;
  }

  has(member: Member): boolean {
    return this.#entries.has(member);
  }

  /** Adds a member, or changes its score. */
  set(member: Member, score: number): void {
    this.delete(member);
    const entry = { member, score };
    this.#entries.set(member, entry);
    this.#sorted.splice(this.#placeOf(entry), 0, entry);
  }

  delete(member: Member): void {
    const entry = this.#entries.get(member);
    if (entry !== undefined) {
      this.#entries.delete(member);
      this.#sorted.splice(this.#placeOf(entry), 1);
    }
  }

  /** Removes every member with a score up to this one. */
  removeUpTo(score: number): void {
    for (let entry = this.#sorted[this.#first]; entry !== undefined && entry.score <= score; ) {
      this.#entries.delete(entry.member);
      this.#first += 1;
      entry = this.#sorted[this.#first];
    }
    if (this.#first > 1_024) {
      this.#sorted = this.#sorted.slice(this.#first);
      this.#first = 0;
    }
  }

  scoreAt(index: number): number | undefined {
    return this.#sorted[this.#first + index]?.score;
  }

  /** The number of members before this one; undefined if it is not in the set. */
  rankOf(member: Member): number | undefined {
    const entry = this.#entries.get(member);
    return entry && this.#placeOf(entry) - this.#first;
  }

  /** The number of members with a score up to this one. */
  countUpTo(score: number): number {
    let [low, high] = [this.#first, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle]?.score ?? Number.POSITIVE_INFINITY) <= score) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - this.#first;
  }

  /** Where an entry is, or belongs. */
  #placeOf({ score, member }: Entry<Member>): number {
    let [low, high] = [this.#first, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#sorted[middle];
      if (entry !== undefined && (entry.score < score || (entry.score === score && entry.member < member))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

interface Entry<Member> {
  readonly member: Member;
  readonly score: number;
}
