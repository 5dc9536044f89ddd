import { ConfigurationError } from './errors/index.ts';
import type { ApiKey } from './options.ts';

/** Holds the key in a closure: nothing that is reachable from a client, an error or a hook leads to it. */
export interface KeyHolder {
  /** The key to send now. Calls made while the function is under way share its answer. */
  get(): string | Promise<string>;
  /** Removes the key from a text that came from elsewhere: a server may repeat it, a runtime may quote it. */
  redact(text: string): string;
}

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
  /** The keys that may be in flight: the last two, since a function may have changed it meanwhile. */
  let known: string[] = [];
  let pending: Promise<string> | undefined;

  const remember = (key: string): string => {
    if (!known.includes(key)) known = [key, ...known].slice(0, 2);
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

  const redact = (text: string) => known.reduce((clean, key) => clean.replaceAll(key, '[redacted]'), text);

  if (typeof source !== 'function') {
    const key = remember(check(source));
    return { get: () => key, redact };
  }
  return {
    get() {
      pending ??= ask(source).finally(() => {
        pending = undefined;
      });
      return pending;
    },
    redact,
  };
};
