import type { Redact } from '@confab/internal';
import { createRedact, unescaped } from '@confab/internal';
import type { Keys } from './keys.ts';

/** Shorter keys are not redacted, because they would be found inside ordinary words. Any key begins with this much of it. */
const HEAD = 8;

/** An escape of a URL or of JSON. */
const ESCAPE = /[%\\]/;

/** An escape of a character that no encoder has to escape: letters, digits and `-._~`. */
const NEEDLESS = /(?:%|\\u00)(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i;

/** A secret as it is, and as a query is read that contains it without escapes. */
const formsOf = (secret: string): string[] =>
  secret.includes('+') ? [secret, secret.replaceAll('+', ' ')] : [secret];

/** Redacts the texts and names in a value that came as JSON. */
const redactIn = (value: unknown, redact: Redact): unknown => {
  if (typeof value === 'string') {
    return redact(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Array.isArray(value)
    ? value.map((part) => redactIn(part, redact))
    : Object.fromEntries(Object.entries(value).map(([name, part]) => [redact(name), redactIn(part, redact)]));
};

/** The keys of a mock and the tokens of its servers: callers put them into URLs and bodies, and logs must not show them. */
export class Secrets {
  readonly #keys: Keys;
  readonly #tokens = new Set<string>();
  /** The beginnings of all secrets. There are few of them, because generated keys begin alike. */
  #heads: readonly string[] = [];
  /** An escape that may hide one of them. To undo the escapes of every text would take longer than all else here. */
  #escape = NEEDLESS;
  #redact: Redact = (text) => text;
  /** The version of the keys that the three above are made of. */
  #version = -1;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Adds a secret that is no key. */
  add(token: string): void {
    this.#tokens.add(token);
    this.#version = -1;
  }

  /** Whether texts may contain a secret. It is cheap, and most texts do not. */
  mayBeIn(...texts: readonly string[]): boolean {
    this.#update();
    return texts.some(
      (text) => this.#hasHead(text) || (this.#escape.test(text) && this.#hasHead(unescaped(text))),
    );
  }

  /** A value without the secrets in its texts. */
  redact<T>(value: T): T {
    this.#update();
    return redactIn(value, this.#redact) as T;
  }

  #hasHead(text: string): boolean {
    return this.#heads.some((head) => text.includes(head));
  }

  #update(): void {
    if (this.#version === this.#keys.version) {
      return;
    }
    this.#version = this.#keys.version;
    const all = [...this.#keys.texts(), ...this.#tokens]
      .filter((secret) => secret.length >= HEAD)
      .flatMap(formsOf);
    this.#heads = [...new Set(all.map((secret) => secret.slice(0, HEAD)))];
    this.#escape = this.#heads.every((head) => /^[\w.~-]+$/.test(head)) ? NEEDLESS : ESCAPE;
    this.#redact = createRedact(all);
  }
}
