import { createRedact, remedyFor, typeName } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import type { Clock } from '../time/clock.ts';
import { MAX_LOOKUP, within } from '../time/time-limit.ts';
import { rethrowForFramework } from './framework-error.ts';
import type { Redact } from './redact.ts';
import { createKeyMemory } from './redact.ts';
import { describeCause, innermost, safeCause } from './safe-cause.ts';

/**
 * The API key, or a function that returns it. The client calls the function for each attempt, in the async context of the
 * call, so the key may change. After a 401, the client calls it again and, if the key is different, retries the request
 * once. If the function fails then, the call rejects with the 401.
 */
export type ApiKey = string | (() => string | Promise<string>);

/** Matches text that could be a key, because it has a digit or is longer than any word. */
const SECRET_LIKE = /(?=[\w+/=~.-]*\d)[\w+/=~.-]{16,}|[\w+/=~.-]{24,}/g;

/** Describes the error of a user's function, which may quote a secret that the client has never seen. */
const describeFailure = (error: unknown, redact: Redact): string => {
  const cause = safeCause(error, (text, ...rest) => redact(text.replace(SECRET_LIKE, '[redacted]'), ...rest));
  if (cause === undefined) {
    return '';
  }
  const message = describeCause(cause).replace(/\.$/, '');
  const code: unknown = Reflect.get(innermost(cause), 'code');
  return ` with ${cause.name}${code && !message.includes(`${code}`) ? ` ${code}` : ''}: ${message}`;
};

/**
 * Calls a user's function, and waits at most {@link MAX_LOOKUP} milliseconds. An abort ends the wait at once. The caller
 * adds to the error that nothing was sent.
 */
export const askUser = <T>(
  option: 'apiKey' | 'headers',
  provide: () => T | Promise<T>,
  redact: Redact,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> => {
  signal.throwIfAborted();
  const answer = (async () => provide())().catch((error: unknown) => {
    rethrowForFramework(error, redact);
    // The error is not attached as `cause`: one thrown by a secret store may contain the secret.
    throw new ConfigurationError(`The \`${option}\` function failed${describeFailure(error, redact)}.`);
  });
  const late = `The \`${option}\` function has not returned within ${MAX_LOOKUP / 1_000} seconds.`;
  return within(clock, MAX_LOOKUP, answer, () => new ConfigurationError(late), signal);
};

/** The API key of one attempt. */
export interface AttemptKey {
  readonly secret: string;
  /** Redacts this key and the latest keys, even if this one is no longer among them. */
  readonly redact: Redact;
}

/** Keeps the API key in a closure, out of reach of clients, errors and hooks. */
export interface KeyHolder {
  /**
   * Returns the key to send now. It calls the user's function each time, in the async context of the caller, because the
   * key may depend on a tenant.
   *
   * @throws A {@link ConfigurationError} when the function fails or returns an invalid key.
   * @throws The signal's reason once it is aborted.
   */
  get(signal: AbortSignal): AttemptKey | Promise<AttemptKey>;
  /** Whether the key may change. */
  readonly mayChange: boolean;
  /** Redacts the latest keys, for texts that do not belong to a single attempt. */
  readonly redact: Redact;
}

/** Matches a key that can be sent in a header. */
const IN_HEADER = /^[\x21-\x7e]+$/;

/** Maximum number of characters of a key. Servers refuse longer headers. */
const MAX_KEY = 4_096;

/**
 * Checks an option for the mistakes of scripts and tools that pass on environment variables. `docker run --env-file`, for
 * example, keeps quotation marks.
 *
 * @throws A {@link ConfigurationError} when the text cannot be a key.
 */
export const checkVariable = (what: string, text: string): void => {
  if (/^(?:undefined|null)$/.test(text)) {
    throw new ConfigurationError(`${what} is the text "${text}". Is the variable that it comes from set?`);
  }
  if (/^(["']).*\1$/s.test(text)) {
    throw new ConfigurationError(`${what} is in quotation marks: leave them out.`);
  }
};

/** @throws A {@link ConfigurationError} when the key is missing or cannot be sent in a header. */
const checkKey = (key: unknown, missing: string): string => {
  if (key === undefined || key === '') {
    throw new ConfigurationError(missing);
  }
  if (typeof key !== 'string') {
    throw new ConfigurationError(`The API key must be a string, got ${typeName(key)}${remedyFor(key)}.`);
  }
  checkVariable('The API key', key);
  if (key.length > MAX_KEY) {
    throw new ConfigurationError(
      `The API key has ${key.length} characters. At most ${MAX_KEY} are accepted.`,
    );
  }
  if (/^Bearer\s/i.test(key)) {
    throw new ConfigurationError(
      'The API key begins with `Bearer`. Leave that word out: `auth: "bearer"` adds it.',
    );
  }
  // A runtime rejects such a header with a message that quotes the key.
  if (!IN_HEADER.test(key)) {
    const what = /[\r\n]/.test(key) ? 'a line break' : 'a space';
    throw new ConfigurationError(
      IN_HEADER.test(key.trim())
        ? `The API key has ${what} at its ${key.startsWith(key.trim()) ? 'end' : 'beginning'}: use .trim().`
        : 'The API key contains a space, a line break or a non-ASCII character.',
    );
  }
  return key;
};

export const holdKey = (source: ApiKey | undefined, clock: Clock): KeyHolder => {
  if (typeof source !== 'function') {
    const secret = checkKey(source, 'No API key. Pass `apiKey`, or set CONFAB_API_KEY.');
    const key = { secret, redact: createRedact([secret]) };
    return { get: () => key, mayChange: false, redact: key.redact };
  }

  const { redact, remember } = createKeyMemory();
  const get = async (signal: AbortSignal) => {
    const key = await askUser('apiKey', source, redact, clock, signal);
    const secret = checkKey(key, 'The `apiKey` function returned no key.');
    return { secret, redact: remember(secret) };
  };
  return { get, mayChange: true, redact };
};
