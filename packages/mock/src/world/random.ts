const HEX = '0123456789abcdef';
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Where a stream of random values stands, so that a snapshot can go back to it. */
export interface RandomState {
  readonly state: number;
  readonly lastId: number;
}

/** Everything random in one world: the same seed gives the same values in the same order. */
export class Random {
  #state: number;
  #lastId: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // 47 bits, so that counting up never overflows the 48 that an id has room for.
    this.#lastId = Math.floor(this.next() * 2 ** 47);
  }

  /** From 0 up to, not including, 1 (the mulberry32 generator). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** Letters and digits. */
  token(length: number): string {
    return Array.from({ length }, () => ALPHANUMERIC[this.below(ALPHANUMERIC.length)]).join('');
  }

  /**
   * A UUID that sorts after all that came before it, as version 8 of RFC 9562 allows.
   *
   * Under a virtual clock many rows are created in the same millisecond; among those, the order of their ids
   * is the order in which they came.
   */
  id(): string {
    this.#lastId += 1 + this.below(0xffff);
    const sequence = this.#lastId.toString(16).padStart(12, '0');
    const digits = (count: number) => Array.from({ length: count }, () => HEX[this.below(16)]).join('');
    return `${sequence.slice(0, 8)}-${sequence.slice(8)}-8${digits(3)}-${HEX[8 + this.below(4)]}${digits(3)}-${digits(12)}`;
  }

  save(): RandomState {
    return { state: this.#state, lastId: this.#lastId };
  }

  load({ state, lastId }: RandomState): void {
    this.#state = state;
    this.#lastId = lastId;
  }
}
