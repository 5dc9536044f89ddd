import { hasMethods, must, typeName } from '@confab/internal';
import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { NOT_RUN, toWebhookError, WebhookError } from '../errors.ts';
import { checkOptions } from '../option-checks.ts';
import { toHex } from '../signature/encoding.ts';
import type { DedupeStore } from './dedupe-store.ts';
import { createMemoryDedupeStore } from './memory-dedupe-store.ts';

/** A genuine delivery, from which `dedupe.key` derives a key. */
export interface VerifiedDelivery {
  /** The name of the event. */
  readonly event: string;
  /** The data of the event, as it was sent. If its name has a schema, it has passed validation. */
  readonly data: unknown;
  /** All headers of the delivery. They are not signed, except for those that the scheme signs. */
  readonly headers: Headers;
  /** The body. It is signed. */
  readonly body: Uint8Array;
  /** The id of the delivery, if the scheme signs one, as `standardWebhooks()` does. */
  readonly id: string | undefined;
}

/** How redeliveries are recognized. */
export interface DedupeOptions {
  /**
   * Returns a key that all deliveries of one event share and no other delivery has. The handlers always run if it returns
   * `undefined`.
   *
   * It is required unless the scheme signs the id of a delivery, because the payload has no id, and two customers may both
   * write "ok". If the sender puts an id of the delivery into a header, use that. Headers are not signed, so the store
   * receives the key together with the SHA-256 of the body: a delivery is a repeat only if both are the same. A key is
   * replaced by its SHA-256 unless it consists of at most 256 letters, digits, `-` and `_`, and is no integer.
   * @default the signed id, with `standardWebhooks()`
   */
  key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
  /**
   * The store that remembers the keys.
   * @default a store in memory for 10,000 keys
   */
  store?: DedupeStore | undefined;
  /**
   * Seconds for which a key is remembered after its handlers have run. Set it longer than the sender retries; at most
   * 10 years.
   * @default 86_400
   */
  ttlSeconds?: number | undefined;
  /**
   * Seconds after which a run that neither completed nor failed (because its process died) no longer blocks others. Set
   * it longer than the slowest handler runs, and shorter than the sender retries; at most 10 years.
   * @default 60
   */
  leaseSeconds?: number | undefined;
}

/** {@link DedupeOptions} after validation, with the defaults applied. */
export interface Dedupe {
  /** `undefined` for the signed id. */
  readonly key: ((delivery: VerifiedDelivery) => unknown) | undefined;
  readonly store: DedupeStore;
  readonly ttlMs: number;
  readonly leaseMs: number;
}

/** Ten years. Redis refuses an expiry that overflows its clock. */
const MAX_SECONDS = 315_360_000;

/**
 * Validates the dedupe options.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const dedupeOf = (options: DedupeOptions, now: () => number, signsId: boolean): Dedupe => {
  const isDuration = must(
    (value) => typeof value === 'number' && value > 0 && value <= MAX_SECONDS,
    `a positive number up to ${MAX_SECONDS}`,
  );
  const because = signsId ? '' : ', because this scheme signs no id';
  checkOptions(
    'field of dedupe',
    options,
    {
      key: must((key) => typeof key === 'function', `a function${because}`),
      store: must(
        (store) => hasMethods(store, 'claim', 'complete', 'release'),
        'a store with claim(), complete() and release()',
      ),
      ttlSeconds: isDuration,
      leaseSeconds: isDuration,
    },
    { prefix: 'dedupe.', required: signsId ? [] : ['key'] },
  );
  const { key, store = createMemoryDedupeStore({ now }), ttlSeconds = 86_400, leaseSeconds = 60 } = options;
  return { key, store, ttlMs: Math.ceil(ttlSeconds * 1000), leaseMs: Math.ceil(leaseSeconds * 1000) };
};

const sha256 = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes)));

/**
 * Returns a text as an id that every queue accepts: BullMQ refuses colons and integers. Other texts are hashed, and so are
 * long ones: an attacker chooses the headers, and could fill the store with them.
 */
const toPortableId = async (text: string): Promise<string> =>
  /^(?!-?\d+$)[\w-]{1,256}$/.test(text) ? text : sha256(encodeText(text));

/**
 * Returns the id that all deliveries of one event share; undefined if nothing identifies the event.
 *
 * A signed id needs no hash of the body, because no attacker can choose it. A header is not signed: if it were the id
 * alone, an attacker with one captured delivery could repeat it under the ids of future deliveries, which would then
 * count as repeats: docs/decisions/0205.
 *
 * @throws {@link WebhookError} When `dedupe.key` fails, or returns anything but `undefined` or a text that is not empty,
 * with `code: 'RECEIVER_FAILED'`.
 */
export const idOf = async (
  delivery: VerifiedDelivery,
  dedupe: Dedupe | undefined,
): Promise<string | undefined> => {
  const { key: keyOf } = dedupe ?? {};
  if (keyOf === undefined) {
    return delivery.id === undefined ? undefined : toPortableId(delivery.id);
  }
  let key: unknown;
  try {
    key = keyOf(delivery);
  } catch (cause) {
    throw toWebhookError('dedupe.key()', cause);
  }
  if (key === undefined) {
    return undefined;
  }
  if (typeof key !== 'string' || key === '') {
    throw new WebhookError(
      'RECEIVER_FAILED',
      `dedupe.key must return undefined or a non-empty string, got ${key === '' ? '""' : typeName(key)}. ${NOT_RUN}`,
    );
  }
  return `${await toPortableId(key)}-${await sha256(delivery.body)}`;
};
