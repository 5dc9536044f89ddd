import type { Redact } from '@confab/internal';
import { createRedact, signsOf } from '@confab/internal';
import type { Keys } from './keys.ts';

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
  #secrets: readonly string[] = [];
  /** Every text that contains a secret includes at least one of these, in some case. */
  #signs: readonly string[] = [];
  /** Made when it is first needed: with many keys, that takes long. */
  #redact: Redact | undefined;
  /** The version of the keys that the three above are made of. */
  #version = -1;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Adds a secret other than an API key. */
  add(token: string): void {
    this.#tokens.add(token);
    this.#version = -1;
  }

  /**
   * A value without the secrets in it.
   *
   * @param texts The texts that it was read from. Most contain no secret, which is cheap to see.
   */
  redact<T>(value: T, ...texts: readonly string[]): T {
    if (this.#version !== this.#keys.version) {
      this.#update();
    }
    const all = texts.join('\n').toLowerCase();
    if (texts.length > 0 && !this.#signs.some((sign) => all.includes(sign))) {
      return value;
    }
    this.#redact ??= createRedact(this.#secrets);
    return redactIn(value, this.#redact) as T;
  }

  #update(): void {
    this.#version = this.#keys.version;
    const secrets = [...this.#keys.texts(), ...this.#tokens];
    // A query without escapes is read with spaces in place of `+`.
    this.#secrets = [...new Set(secrets.flatMap((secret) => [secret, secret.replaceAll('+', ' ')]))];
    this.#signs = signsOf(this.#secrets);
    this.#redact = undefined;
  }
}
