const HEX = '0123456789abcdef';
const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Each purpose has its own stream, so that drawing from one does not change the others. */
const STREAMS = ['rows', 'keys', 'network'] as const;
type Stream = (typeof STREAMS)[number];

/** The increment of mulberry32, and the difference between the increments of two streams. */
const INCREMENT = 0x6d2b79f5;
const STEP = 0x9e3779b9;

/**
 * The highest id that {@link Random.follow} follows. The mock's own ids start below 2 ** 47, and counting up from here
 * overflows the 48 bits of an id only after a billion ids.
 */
const HIGHEST_FOLLOWED = 3 * 2 ** 46;

const ID_FORMAT = /^([\da-f]{8})-([\da-f]{4})-8/i;

/** The position in a stream of random values, for snapshots. */
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
    // The bits of the seed beyond the 32 of the state choose the increment, together with the stream. It must be odd.
    const rest = Math.floor(seed / 2 ** 32) * STREAMS.length + STREAMS.indexOf(stream);
    this.#increment = INCREMENT + 2 * Math.imul(rest, STEP);
    this.#lastId = Math.floor(this.next() * 2 ** 47);
  }

  /** A number from 0 to 1, exclusive of 1 (the mulberry32 generator). */
  next(): number {
    this.#state = (this.#state + this.#increment) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 to the limit, exclusive of the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }

  /** A text of letters and digits. */
  token(length: number): string {
    return this.#draw(ALPHANUMERIC, length);
  }

  /**
   * A UUID that sorts after all earlier ones, as version 8 of RFC 9562 allows.
   *
   * On a virtual clock, many rows are created in the same millisecond, but their ids still tell the order of creation.
   */
  id(): string {
    this.#lastId += 1 + this.below(0xffff);
    const sequence = this.#lastId.toString(16).padStart(12, '0');
    const [version, variant] = [this.#draw(HEX, 3), this.#draw('89ab', 1) + this.#draw(HEX, 3)];
    return `${sequence.slice(0, 8)}-${sequence.slice(8)}-8${version}-${variant}-${this.#draw(HEX, 12)}`;
  }

  #draw(characters: string, length: number): string {
    let drawn = '';
    while (drawn.length < length) {
      drawn += characters[this.below(characters.length)];
    }
    return drawn;
  }

  /**
   * Makes all later ids sort after the id of a loaded row, if it has the same format: a row from an earlier run is older
   * than new rows, and its id must not be used again.
   */
  follow(id: string): void {
    const [, high = '', low = ''] = ID_FORMAT.exec(id) ?? [];
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
