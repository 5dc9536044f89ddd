import type { OpenEnum, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { createSlidingWindow, optionProblem } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { arrayOf, isString, throwIfInvalid, unknownWord } from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';
import type { Random, RandomState } from '../store/random.ts';
import type { RateLimit } from './rate-limit-option.ts';
import { rateLimitWith, toRateLimit } from './rate-limit-option.ts';

/** A scope of the contract. */
type Scope = (typeof operations)[OperationId]['scope'];

/** The options of {@link Mock.keys}`.create()`. */
export interface KeyInit {
  /**
   * The key itself.
   * @default a new key: `confab_live_<random>`
   */
  readonly key?: string | undefined;
  /**
   * What the key may do: `read:leads`, `write:conversations`, … A scope that no operation requires is refused as a
   * misspelling. To add scopes, use the option `scopes` of `createMock`.
   * @default every scope that an operation requires
   */
  readonly scopes?: readonly OpenEnum<Scope>[] | undefined;
  /**
   * Requests per minute, or `{ requests, perMs }`.
   * @default the `rateLimit` of the mock
   */
  readonly rateLimit?: number | RateLimit | undefined;
}

/** A new key. */
export interface CreatedKey {
  /** The id of the key in the request log. */
  readonly id: string;
  /** The key itself. */
  readonly key: string;
}

/** A key as {@link Mock.keys} lists it, without the key itself. */
export interface ListedKey {
  /** The id of the key in the request log. */
  readonly id: string;
  /** The last four characters of the key; empty for a key of fewer than 16. */
  readonly ending: string;
  /** What the key may do. */
  readonly scopes: readonly string[];
  /** How many requests the key may make, in how many milliseconds. */
  readonly rateLimit: RateLimit;
  /** How many requests are in the window of the key now. */
  readonly used: number;
}

/** The sliding window of a key. Declared here, because the published declarations must not import the internal package. */
interface RateLimitWindow {
  count(now: number): number;
  add(time: number): void;
  at(index: number): number | undefined;
  times(): number[];
}

/** A key with its scopes and rate limit. */
export interface ApiKey {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly limit: RateLimit;
  /** The times of the admitted requests. */
  readonly window: RateLimitWindow;
}

/** All keys of a world, as a snapshot saves them. */
export interface KeysState {
  readonly random: RandomState;
  readonly keys: readonly (readonly [
    key: string,
    saved: Omit<ApiKey, 'window'> & { readonly window: readonly number[] },
  ])[];
}

/** The scopes of the contract. */
export const CONTRACT_SCOPES: readonly string[] = [
  ...new Set(Object.values(operations).map(({ scope }) => scope)),
];

/** The shortest key whose last four characters may be shown. */
const MIN_LENGTH_TO_SHOW_ENDING = 16;

export const KEY_FORMAT = /^[\x21-\x7e]{1,512}$/;

export const KEY_RULE = 'must consist of visible ASCII characters, without spaces, at most 512 of them.';

/**
 * Checks the options of a key. No message contains the key.
 *
 * @param known The scopes that operations require.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
 */
const checkKey = (init: KeyInit, known: readonly string[]): void => {
  const checks: Checks<KeyInit> = {
    // The key is sent in a header, where fetch refuses other characters with an unhelpful message.
    key: (name, key) =>
      typeof key === 'string' && KEY_FORMAT.test(key) ? undefined : `\`${name}\` ${KEY_RULE}`,
    scopes: arrayOf("an array, such as ['read:leads']", (_, scope) => unknownWord('scope', scope, known)),
    rateLimit: rateLimitWith(),
  };
  if (typeof init === 'string') {
    throw invalidArgument('`key` must be an object, got a string. Write { key } instead of the key itself.');
  }
  throwIfInvalid(optionProblem('key field', init, checks, { prefix: 'key.' }));
};

interface KeysOptions {
  readonly random: Random;
  /** The rate limit of keys that are created without one. */
  readonly limit: RateLimit;
  readonly now: () => number;
  /** Scopes besides those of the contract. */
  readonly scopes: readonly string[];
}

/** The API keys of a mock. */
export interface MockKeys {
  /**
   * Creates a key.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field or scope is unknown, a rate limit invalid, or the key
   * taken.
   * @example
   * ```ts
   * const { key } = mock.keys.create({ scopes: ['read:leads'], rateLimit: 5 });
   * ```
   */
  create(init?: KeyInit): CreatedKey;
  /**
   * Makes a key invalid, and returns whether it existed.
   *
   * @param keyOrId The key, or its id.
   * @example
   * ```ts
   * mock.keys.revoke(key);
   * ```
   */
  revoke(keyOrId: string): boolean;
  /**
   * Lists the keys, oldest first, with the requests in the window of each.
   *
   * @example
   * ```ts
   * mock.keys.list().map(({ id, used, rateLimit }) => `${id}: ${used} of ${rateLimit.requests}`);
   * ```
   */
  list(): readonly ListedKey[];
}

/** The API keys of one account. */
export class Keys implements MockKeys {
  readonly #byKey = new Map<string, ApiKey>();
  readonly #options: KeysOptions;
  readonly #scopes: readonly string[];
  /** New keys by the keys that they replace, also in states that were saved before. */
  readonly #renamed = new Map<string, string>();

  constructor(options: KeysOptions) {
    this.#options = options;
    this.#scopes = [...new Set([...CONTRACT_SCOPES, ...options.scopes])];
  }

  create(init: KeyInit = {}): CreatedKey {
    checkKey(init, this.#scopes);
    const { random } = this.#options;
    const { key, scopes = this.#scopes, rateLimit = this.#options.limit } = init;
    const made = key ?? `confab_live_${random.token(32)}`;
    if (this.#byKey.has(made)) {
      throw invalidArgument('This key already exists. Leave `key` out to create a new one.');
    }
    const limit = toRateLimit(rateLimit);
    const id = random.id();
    this.#byKey.set(made, { id, scopes: new Set(scopes), limit, window: createSlidingWindow(limit.perMs) });
    return { id, key: made };
  }

  revoke(keyOrId: string): boolean {
    throwIfInvalid(isString('key', keyOrId));
    const found = [...this.#byKey].find(([key, { id }]) => key === keyOrId || id === keyOrId);
    return found !== undefined && this.#byKey.delete(found[0]);
  }

  list(): readonly ListedKey[] {
    return [...this.#byKey].map(([key, { id, scopes, limit, window }]) => ({
      id,
      ending: key.length < MIN_LENGTH_TO_SHOW_ENDING ? '' : key.slice(-4),
      scopes: [...scopes],
      rateLimit: limit,
      used: window.count(this.#options.now()),
    }));
  }

  /** Returns a key by its text, or `undefined` if it is invalid. */
  get(key: string): ApiKey | undefined {
    return this.#byKey.get(key);
  }

  /** Replaces a key by a different one in every state of the mock. A revoked key stays revoked. */
  rename(from: string, to: string): void {
    this.#renamed.set(from, to);
    this.load(this.save());
  }

  save(): KeysState {
    return {
      random: this.#options.random.save(),
      keys: [...this.#byKey].map(([key, { window, ...rest }]) => [key, { ...rest, window: window.times() }]),
    };
  }

  load({ random, keys }: KeysState): void {
    this.#options.random.load(random);
    this.#byKey.clear();
    for (const [key, { window, ...rest }] of keys) {
      this.#byKey.set(this.#renamed.get(key) ?? key, {
        ...rest,
        window: createSlidingWindow(rest.limit.perMs, window),
      });
    }
  }
}
