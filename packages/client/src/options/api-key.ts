import { ConfigurationError } from '../errors/index.ts';
import type { Redact } from '../secrecy/redact.ts';
import { createRedact } from '../secrecy/redact.ts';
import { orAborted } from '../time/lifetime.ts';
import type { ApiKey } from './options.ts';

/** Holds the key in a closure: nothing that is reachable from a client, an error or a hook leads to it. */
export interface KeyHolder {
  /**
   * The key to send now. Calls made while the function is under way share its answer.
   *
   * @throws {@link ConfigurationError}, and the signal's reason once it is aborted.
   */
  get(signal: AbortSignal): string | Promise<string>;
  /** Hides the keys of late. */
  readonly redact: Redact;
  /** Hides a key that is under way besides, however many others came after it. */
  redactWith(key: string): Redact;
}

/** Keys of late that are looked for, so that an answer about another request's key gives nothing away. */
const REMEMBERED = 16;

const check = (key: unknown): string => {
  if (typeof key !== 'string' || key === '') {
    throw new ConfigurationError(
      `The API key is ${key === '' ? 'empty' : `not a string but ${key === null ? 'null' : typeof key}`}. Pass \`apiKey\` to createClient, or set the environment variable CONFAB_API_KEY.`,
    );
  }
  // A runtime would refuse such a header with a message that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigurationError(
      'The API key holds a space, a line break or a character outside ASCII. Was it copied with something around it?',
    );
  }
  return key;
};

export const holdKey = (source: ApiKey | undefined): KeyHolder => {
  let known: string[] = [];
  let hide = createRedact(known);
  let asked: { readonly key: Promise<string>; waiting: number } | undefined;

  const remember = (key: string): string => {
    if (known[0] === key) {
      return key;
    }
    known = [key, ...known.filter((other) => other !== key)].slice(0, REMEMBERED);
    hide = createRedact(known);
    return key;
  };

  const ask = async (provide: () => string | Promise<string>): Promise<string> => {
    let key: string;
    try {
      key = await provide();
    } catch (error) {
      // Not attached as `cause`: what a secret store throws may well carry the secret.
      throw new ConfigurationError(
        `The \`apiKey\` function failed${error instanceof Error ? ` with ${error.name}` : ''}. Nothing was sent.`,
      );
    }
    return remember(check(key));
  };

  const redact: Redact = (text, most) => hide(text, most);
  const redactWith =
    (key: string): Redact =>
    (text, most) =>
      (known.includes(key) ? hide : createRedact([key, ...known]))(text, most);

  if (typeof source !== 'function') {
    const key = remember(check(source));
    return { get: () => key, redact, redactWith };
  }
  return {
    async get(signal) {
      asked ??= { key: ask(source), waiting: 0 };
      const mine = asked;
      mine.waiting += 1;
      try {
        return await orAborted(mine.key, signal);
      } finally {
        mine.waiting -= 1;
        // Answered, or given up by all: the next call asks anew, so that one that hangs does not hang the client.
        if (mine.waiting === 0 && asked === mine) {
          asked = undefined;
        }
      }
    },
    redact,
    redactWith,
  };
};
