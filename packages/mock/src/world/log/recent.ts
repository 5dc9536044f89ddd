/** Bytes of a logged request or a delivery, without its texts. */
const BASE = 512;

/** Bytes of a parsed value, such as a number or an object without fields. */
const VALUE = 48;

const [COMMA, COLON, BRACKET, BRACE] = [0x2c, 0x3a, 0x5b, 0x7b];

/**
 * Estimates the memory that texts take, in bytes. Parsed JSON may take ten times as much as its text.
 *
 * @param json A JSON text that is kept parsed.
 * @param texts Texts that are kept as they are.
 */
export const weightOf = (json: string, ...texts: readonly string[]): number => {
  let weight = BASE + 2 * json.length;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === COMMA || unit === COLON || unit === BRACKET || unit === BRACE) {
      weight += VALUE;
    }
  }
  for (const text of texts) {
    weight += 2 * text.length;
  }
  return weight;
};

/** A value, and the bytes that it takes. */
export interface Weighed<T> {
  readonly value: T;
  readonly bytes: number;
}

interface Limits {
  readonly count: number;
  readonly bytes: number;
}

/** The latest values. The oldest are dropped once there are too many, or once they take too many bytes. */
export class Recent<T> {
  readonly #limits: Limits;
  #kept: (Weighed<T> | undefined)[] = [];
  /** The first value in `#kept`: removing values from the front of a long array one by one is slow. */
  #start = 0;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#kept.length - this.#start;
  }

  /** The bytes that all values take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** All values, oldest first. */
  get all(): readonly T[] {
    return this.save().map(({ value }) => value);
  }

  /** The values from one place up to, not including, another. The oldest is at 0. */
  slice(from: number, to: number): readonly T[] {
    // Places whose values were dropped are all in front of the first one.
    const [start, end] = [this.#start + from, this.#start + to];
    return this.#kept.slice(start, end).flatMap((kept) => (kept === undefined ? [] : [kept.value]));
  }

  /** Adds a value. If it alone takes too many bytes, it is dropped at once. */
  add(value: T, bytes: number): void {
    this.#kept.push({ value, bytes });
    this.#bytes += bytes;
    while (this.length > this.#limits.count || this.#bytes > this.#limits.bytes) {
      this.#bytes -= this.#kept[this.#start]?.bytes ?? 0;
      // Freed at once, even though its place remains for a while.
      this.#kept[this.#start] = undefined;
      this.#start += 1;
    }
    if (this.#start > 64 && this.#start * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
  }

  clear(): void {
    this.load([]);
  }

  save(): readonly Weighed<T>[] {
    return this.#kept.slice(this.#start).filter((kept) => kept !== undefined);
  }

  load(kept: readonly Weighed<T>[]): void {
    this.#kept = [...kept];
    this.#start = 0;
    this.#bytes = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }
}
