import { unescaped } from '@confab/internal';
import { normalizePhone } from '../../../world/store/phone.ts';

/** What a personal value is, which decides what its stand-in looks like. */
export type PersonalKind = 'phone' | 'person' | 'email' | 'text' | 'word' | 'code';

/** The fields of requests and responses whose values are personal, or are written by people. */
const KINDS: ReadonlyMap<string, PersonalKind> = new Map([
  ['phone', 'phone'],
  ['displayName', 'person'],
  ['email', 'email'],
  ['notes', 'text'],
  // Of messages, invocations and replies.
  ['content', 'text'],
  ['userMessage', 'text'],
  ['text', 'text'],
  ['description', 'text'],
  // The message of an error response often quotes the request.
  ['error', 'text'],
]);

/** The kind of a field; `undefined` if its values are not personal. */
export const kindOf = (field: string): PersonalKind | undefined => KINDS.get(field);

/** One form of a value, so that a phone written in two ways is one phone. */
export const canonical = (kind: PersonalKind, value: string): string =>
  kind === 'phone' ? (normalizePhone(value) ?? value) : value;

/** Words that are kept have at most as many characters. */
const LONGEST_WORD = 64;

/** Shorter values are found only as whole words: inside other words, they are there by chance. */
const SHORTEST_PART = 4;

/** As many digits may be a phone. */
const PHONE_DIGITS = /(?:\d[^\p{L}\d]{0,3}){7}/u;

const WORD = /^[\p{L}\d][\p{L}\d _.:/-]*$/u;

/** Every personal value that was seen, so that it is found wherever else it occurs. */
export class PersonalValues {
  readonly #values = new Set<string>();
  #characters = 0;

  /** How many characters they have together. */
  get characters(): number {
    return this.#characters;
  }

  /** Adds a value that must not occur in a recording. */
  add(value: string): void {
    const known = value.trim().toLowerCase();
    // A longer one does not fit into a word, nor into a stand-in.
    if (known !== '' && known.length <= LONGEST_WORD && !this.#values.has(known)) {
      this.#values.add(known);
      this.#characters += known.length;
    }
  }

  /** Adds the values of all personal fields in a JSON value, wherever they are. */
  addFrom(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) {
        this.addFrom(item);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) {
        const kind = kindOf(field);
        if (kind !== undefined && typeof inner === 'string') {
          this.add(inner);
          this.add(canonical(kind, inner));
        } else {
          this.addFrom(inner);
        }
      }
    }
  }

  has(value: string): boolean {
    return this.#values.has(value.toLowerCase());
  }

  /** Whether a text is a plain word, such as the name of a channel, without anything personal in it. */
  isHarmless(text: string): boolean {
    if (text.length > LONGEST_WORD || !WORD.test(text) || PHONE_DIGITS.test(text)) {
      return false;
    }
    return ![text, unescaped(text)].some((form) => this.#isIn(form.toLowerCase()));
  }

  #isIn(text: string): boolean {
    if (this.#values.has(text) || text.split(/[^\p{L}\d]+/u).some((word) => this.#values.has(word))) {
      return true;
    }
    for (let start = 0; start + SHORTEST_PART <= text.length; start += 1) {
      for (let end = start + SHORTEST_PART; end <= text.length; end += 1) {
        if (this.#values.has(text.slice(start, end))) {
          return true;
        }
      }
    }
    return false;
  }
}
