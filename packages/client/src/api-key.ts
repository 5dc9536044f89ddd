import { ConfigurationError } from './errors/index.ts';
import { orAborted } from './lifetime.ts';
import type { ApiKey } from './options.ts';

/** Holds the key in a closure: nothing that is reachable from a client, an error or a hook leads to it. */
export interface KeyHolder {
  /**
   * The key to send now. Calls made while the function is under way share its answer.
   *
   * @throws {@link ConfigurationError}, and the signal's reason once it is aborted.
   */
  get(signal: AbortSignal): string | Promise<string>;
  /** Removes the key from a text that came from elsewhere: a server may repeat it, a runtime may quote it. */
  redact(text: string): string;
}

/** Keys that are looked for: far more than can be in flight at once while a function changes them. */
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

/** How a key may be written in what comes back: as it is, in a URL, in JSON, in JSON as PHP writes it. */
const spellings = (key: string): string[] => {
  const json = JSON.stringify(key).slice(1, -1);
  return [key, encodeURIComponent(key), json, json.replaceAll('/', '\\/')];
};

export const holdKey = (source: ApiKey | undefined): KeyHolder => {
  let known: string[] = [];
  let secrets: string[] = [];
  let asked: { readonly key: Promise<string>; waiting: number } | undefined;

  const remember = (key: string): string => {
    if (known[0] === key) return key;
    known = [key, ...known.filter((other) => other !== key)].slice(0, REMEMBERED);
    // Longest first: a key may begin with another.
    secrets = [...new Set(known.flatMap(spellings))].sort((a, b) => b.length - a.length);
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

  const redact = (text: string) =>
    secrets.reduce((clean, each) => clean.replaceAll(each, '[redacted]'), text);

  if (typeof source !== 'function') {
    const key = remember(check(source));
    return { get: () => key, redact };
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
        if (mine.waiting === 0 && asked === mine) asked = undefined;
      }
    },
    redact,
  };
};
