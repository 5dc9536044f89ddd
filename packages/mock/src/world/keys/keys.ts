import type { SlidingWindow as Times } from '@confab/internal';
import { createSlidingWindow } from '@confab/internal';
import { invalidArgument } from '../../errors/mock-error.ts';
import type { Random, RandomState } from '../store/random.ts';
import type { KeyInit, RateLimit } from './check-key.ts';
import { CONTRACT_SCOPES, checkKey, checkScopeForm, toRateLimit } from './check-key.ts';

/** The decision of a window about one request. */
export interface Admission {
  /** Whether the request is within the limit. */
  readonly admitted: boolean;
  /** How many more requests the window would admit now. */
  readonly remaining: number;
  /** Whole seconds until a request is admitted; 0 if this one was. */
  readonly retryAfterSeconds: number;
}

/** Times of the requests in a window, oldest first. */
export type WindowState = readonly number[];

/**
 * Admits a limited number of requests in any period, whenever it starts.
 *
 * It keeps the time of every admitted request: a counter per fixed minute would admit twice the limit around the end of a
 * minute. Refused requests do not count.
 */
export class SlidingWindow {
  readonly #limit: RateLimit;
  readonly #times: Times;

  constructor(limit: RateLimit, state: WindowState = []) {
    this.#limit = limit;
    this.#times = createSlidingWindow(limit.perMs, state);
  }

  admit(now: number): Admission {
    const { requests, perMs } = this.#limit;
    if (requests === Number.POSITIVE_INFINITY) {
      return { admitted: true, remaining: requests, retryAfterSeconds: 0 };
    }
    const used = this.#times.count(now);
    if (used < requests) {
      this.#times.add(now);
      return { admitted: true, remaining: requests - used - 1, retryAfterSeconds: 0 };
    }
    // With a cap of 0, no wait would help. `Retry-After` must still be a number, so it is the length of the window.
    const frees = (this.#times.at(0) ?? now) + perMs;
    return { admitted: false, remaining: 0, retryAfterSeconds: Math.max(1, Math.ceil((frees - now) / 1000)) };
  }

  /** The number of admitted requests that are still in the window. */
  used(now: number): number {
    return this.#times.count(now);
  }

  save(): WindowState {
    return this.#times.times();
  }
}

/** A new key. */
export interface CreatedKey {
  /** The id by which the request log names it. */
  readonly id: string;
  /** The key itself. */
  readonly key: string;
}

/** A key as {@link Mock.keys} lists it: without the key itself. */
export interface ListedKey {
  /** The id by which the request log names it. */
  readonly id: string;
  /** What it may do. */
  readonly scopes: readonly string[];
  /** How many requests it may make, in how many milliseconds. */
  readonly rateLimit: RateLimit;
  /** How many requests its window holds now. */
  readonly used: number;
}

/** A key and what it may do. */
export interface ApiKey {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly limit: RateLimit;
  readonly window: SlidingWindow;
}

/** All keys of a world, as a snapshot saves them. */
export interface KeysState {
  readonly random: RandomState;
  readonly keys: readonly (readonly [
    key: string,
    saved: Omit<ApiKey, 'window'> & { readonly window: WindowState },
  ])[];
}

/** The API keys of one account. */
export class Keys {
  readonly #byKey = new Map<string, ApiKey>();
  readonly #random: Random;
  readonly #limit: RateLimit;
  readonly #scopes: readonly string[];
  readonly #now: () => number;
  /** Changes with every key that is added or removed. */
  #version = 0;

  constructor(options: {
    random: Random;
    limit: RateLimit;
    now: () => number;
    scopes: readonly string[];
  }) {
    this.#random = options.random;
    this.#now = options.now;
    this.#limit = options.limit;
    const { scopes } = options;
    scopes.forEach(checkScopeForm);
    this.#scopes = [...new Set([...CONTRACT_SCOPES, ...scopes])];
  }

  /**
   * Creates a key.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field or scope is unknown, a rate limit invalid, or the key
   * taken.
   * @example
   * ```ts
   * const { key } = mock.keys.create({ scopes: ['read:leads'], rateLimit: 5 });
   * ```
   */
  create(init: KeyInit = {}): CreatedKey {
    checkKey(init, this.#scopes);
    const { key, scopes = this.#scopes, rateLimit = this.#limit } = init;
    const made = key ?? `confab_live_${this.#random.token(32)}`;
    if (this.#byKey.has(made)) {
      throw invalidArgument('This key exists already. Leave `key` out to create a new one.');
    }
    const limit = toRateLimit(rateLimit);
    const id = this.#random.id();
    this.#version += 1;
    this.#byKey.set(made, { id, scopes: new Set(scopes), limit, window: new SlidingWindow(limit) });
    return { id, key: made };
  }

  /**
   * Makes a key invalid, and returns whether it existed.
   *
   * @param keyOrId The key, or its id.
   * @example
   * ```ts
   * mock.keys.revoke(key);
   * ```
   */
  revoke(keyOrId: string): boolean {
    const found = this.#byKey.has(keyOrId)
      ? keyOrId
      : [...this.#byKey].find(([, { id }]) => id === keyOrId)?.[0];
    this.#version += 1;
    return found !== undefined && this.#byKey.delete(found);
  }

  /**
   * Lists the keys, oldest first, with the requests in the window of each.
   *
   * @example
   * ```ts
   * mock.keys.list().map(({ id, used, rateLimit }) => `${id}: ${used} of ${rateLimit.requests}`);
   * ```
   */
  list(): readonly ListedKey[] {
    return [...this.#byKey.values()].map(({ id, scopes, limit, window }) => ({
      id,
      scopes: [...scopes],
      rateLimit: limit,
      used: window.used(this.#now()),
    }));
  }

  /** Returns a key by its text, or `undefined` if it is invalid. */
  get(key: string): ApiKey | undefined {
    return this.#byKey.get(key);
  }

  get version(): number {
    return this.#version;
  }

  /** The keys themselves. */
  texts(): Iterable<string> {
    return this.#byKey.keys();
  }

  save(): KeysState {
    return {
      random: this.#random.save(),
      keys: [...this.#byKey].map(([key, { window, ...rest }]) => [key, { ...rest, window: window.save() }]),
    };
  }

  load({ random, keys }: KeysState): void {
    this.#random.load(random);
    this.#version += 1;
    this.#byKey.clear();
    for (const [key, { window, ...rest }] of keys) {
      this.#byKey.set(key, { ...rest, window: new SlidingWindow(rest.limit, window) });
    }
  }
}
