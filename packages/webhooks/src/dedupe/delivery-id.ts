import { showValue } from '@confab/internal';
import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { NOT_RUN, runUserCode, WebhookError } from '../errors.ts';
import { toHex } from '../signature/encoding.ts';
import type { Hmac } from '../signature/hmac.ts';

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
  /** The URL of the request, if the option `secret` is a function. */
  readonly url?: string | undefined;
}

const sha256 = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes)));

/**
 * Returns a text as an id that every queue accepts: BullMQ refuses colons and integers. Other texts are hashed, and so are
 * long ones: an attacker chooses the headers, and could fill the store with them.
 */
export const toPortableId = async (text: string, maxLength = 256): Promise<string> =>
  /^(?!-?\d+$)[\w-]+$/.test(text) && text.length <= maxLength ? text : sha256(encodeText(text));

/**
 * Runs a user's function that returns a name.
 *
 * @param part The name of the function, for the message.
 * @throws {@link WebhookError} When it fails, or returns anything but `undefined` or a non-empty string, with
 * `code: 'RECEIVER_FAILED'`.
 */
export const runForName = async (part: string, run: () => unknown): Promise<string | undefined> => {
  // In a list, because a promise is no name.
  const [name] = await runUserCode(`${part}()`, () => [run()]);
  if (name === undefined || (typeof name === 'string' && name !== '')) {
    return name;
  }
  throw new WebhookError(
    'RECEIVER_FAILED',
    `${part} must return undefined or a non-empty string, got ${showValue(name)}. ${NOT_RUN}`,
  );
};

/**
 * Returns the id that all deliveries of one event share; undefined if nothing identifies the event.
 *
 * A signed id needs no hash of the body, because no attacker can choose it. A header is not signed: if it were the id
 * alone, an attacker with one captured delivery could repeat it under the ids of future deliveries, which would then
 * count as repeats: docs/decisions/0205. For the same reason, the secret of a tenant is part of the id: otherwise a tenant
 * could sign deliveries under the ids of another one.
 *
 * @param keyOf The option `dedupe.key`; undefined for the signed id.
 * @param tenant The HMAC with the secret of the tenant, if there are several tenants.
 * @throws {@link WebhookError} When `dedupe.key` fails, or returns anything but `undefined` or a non-empty string,
 * with `code: 'RECEIVER_FAILED'`.
 */
export const createDeliveryId = async (
  delivery: VerifiedDelivery,
  keyOf: ((delivery: VerifiedDelivery) => unknown) | undefined,
  tenant: Hmac | undefined,
): Promise<string | undefined> => {
  const { id, body } = delivery;
  // The preamble keeps a signature out of the store.
  const digest = async (bytes: Uint8Array) =>
    tenant ? toHex(await tenant('dedupe:', bytes as Bytes)) : sha256(bytes);
  if (keyOf === undefined) {
    return id && (tenant ? digest(encodeText(id)) : toPortableId(id));
  }
  const key = await runForName('dedupe.key', () => keyOf(delivery));
  return key && `${await toPortableId(key)}-${await digest(body)}`;
};
