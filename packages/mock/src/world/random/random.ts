const HEX = '0123456789abcdef';
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** What is drawn from a stream of its own, so that drawing more of one thing changes none of the others. */
const STREAMS = ['rows', 'keys', 'chance'] as const;
type Stream = (typeof STREAMS)[number];

/** The increment of mulberry32, and a step by which others differ from it. */
const INCREMENT = 0x6d2b79f5;
const STEP = 0x9e3779b9;

/**
 * Ids of others are followed up to here. Those of our own begin below 2 ** 47, and counting up from here overflows the
 * 48 bits of an id only after a billion of them.
 */
const HIGHEST_FOLLOWED = 3 * 2 ** 46;

const OWN_FORM = /^([\da-f]{8})-([\da-f]{4})-8/i;

/** Where a stream of random values stands, so that a snapshot can go back to it. */
export interface RandomState {
  readonly state: number;
  readonly lastId: number;
}

/** One stream of random values: the same seed gives the same values in the same order. */
export class Random {
  readonly #increment: number;
  #state: number;
  #lastId: number;

  /** @param seed A safe integer; no two of them give the same stream. */
  constructor(seed: number, stream: Stream = 'rows') {
    this.#state = seed >>> 0;
    // Bits beyond the 32 of the state choose the increment, together with the stream. It has to be odd.
    const rest = Math.floor(seed / 2 ** 32) * STREAMS.length + STREAMS.indexOf(stream);
    this.#increment = INCREMENT + 2 * Math.imul(rest, STEP);
    this.#lastId = Math.floor(this.next() * 2 ** 47);
  }

  /** From 0 up to, not including, 1 (the mulberry32 generator). */
  next(): number {
    this.#state = (this.#state + this.#increment) >>> 0;
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

  /**
   * Lets all ids to come sort after one that came from elsewhere, if it is of their form: a row that an earlier run
   * saved is older than those to come, and its id must not be given out again.
   */
  follow(id: string): void {
    const [, high = '', low = ''] = OWN_FORM.exec(id) ?? [];
    const sequence = Number.parseInt(high + low, 16);
    if (sequence <= HIGHEST_FOLLOWED) {
      this.#lastId = Math.max(this.#lastId, sequence);
    }
  }

  save(): RandomState {
    return { state: this.#state, lastId: this.#lastId };
  }

  load({ state, lastId }: RandomState): void {
    this.#state = state;
    this.#lastId = lastId;
  }
}
