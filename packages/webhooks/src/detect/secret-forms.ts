import type { Bytes } from '../body.ts';
import { decodeBase64, decodeHex } from '../signature/encoding.ts';
import type { Secret } from '../signature/secret.ts';
import { secretBytes } from '../signature/secret.ts';

/** The way to read the text of a secret as bytes. */
export type SecretForm = 'as given' | 'hex' | 'base64' | 'base64 after its prefix' | 'UTF-8';

const fromBase64 = (text: string): Bytes | undefined => {
  try {
    return decodeBase64(text);
  } catch {
    return undefined;
  }
};

const fromHex = (text: string): Bytes | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text) ? decodeHex(text.toLowerCase()) : undefined;

/**
 * Returns the bytes of a secret for each way in which senders read secrets.
 *
 * @throws {@link WebhookConfigurationError} When the secret is invalid.
 */
export const secretForms = (secret: Secret): Map<SecretForm, Bytes> => {
  const forms = new Map<SecretForm, Bytes>([['as given', secretBytes(secret)]]);
  if (typeof secret !== 'string') {
    return forms;
  }
  const decoded: [SecretForm, Bytes | undefined][] = [
    ['hex', fromHex(secret)],
    ['base64', fromBase64(secret)],
    ['base64 after its prefix', fromBase64(secret.slice(secret.indexOf('_') + 1))],
  ];
  for (const [form, bytes] of decoded) {
    if (bytes !== undefined && bytes.byteLength > 0) {
      forms.set(form, bytes);
    }
  }
  return forms;
};
