import type { IncomingMessage } from 'node:http';
import { createRedact, oneLine } from '@confab/internal';
import { Refusal } from '../../errors/refusal.ts';
import { keysIn } from './headers.ts';

/** The maximum length of a printed line, in characters. */
const MAX_LINE = 1_000;

/** The maximum number of keys to remember: a stranger could send a new key with each request. */
const MAX_KEYS = 100;

/** The keys that have passed through a proxy. They must not appear in its log or its recording. */
export class SeenKeys implements Iterable<string> {
  #keys: ReadonlySet<string>;

  /** @param key The key of the proxy itself, if it has one. */
  constructor(key: string | undefined) {
    this.#keys = new Set(key === undefined ? [] : [key]);
  }

  /**
   * Remembers the keys of a request.
   *
   * @throws A {@link Refusal} 503, when there would be too many.
   */
  add(incoming: IncomingMessage): void {
    const all = new Set([...this.#keys, ...keysIn(incoming)]);
    if (all.size > MAX_KEYS) {
      throw new Refusal(
        503,
        'SERVICE_UNAVAILABLE',
        `This proxy has seen ${MAX_KEYS} keys, the most that it can keep out of its log and its recording. Restart the proxy to continue.`,
      );
    }
    this.#keys = all;
  }

  /** Turns a text into a line without the keys. */
  readonly redact = (text: string): string => oneLine(createRedact([...this.#keys])(text, MAX_LINE));

  [Symbol.iterator](): Iterator<string> {
    return this.#keys.values();
  }
}
