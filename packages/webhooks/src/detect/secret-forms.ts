import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { decodeBase64, decodeHex } from '../signature/encoding.ts';
import type { SignatureScheme } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import { secretBytes } from '../signature/secret.ts';

/** All ways to read the text of a secret as bytes, the most common ones first. */
export const SECRET_FORMS = ['as given', 'hex', 'base64', 'base64 after its prefix', 'UTF-8'] as const;

/** The way to read the text of a secret as bytes. */
export type SecretForm = (typeof SECRET_FORMS)[number];

/** Decodes a secret that may be written in another way; `undefined` if it is, or if nothing is left of it. */
const decoded = (decode: () => Bytes): Bytes | undefined => {
  try {
    const bytes = decode();
    return bytes.byteLength > 0 ? bytes : undefined;
  } catch {
    return undefined;
  }
};

const fromHex = (text: string): Bytes | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text) ? decodeHex(text.toLowerCase()) : undefined;

const mapOf = (forms: readonly (readonly [SecretForm, Bytes | undefined])[]): Map<SecretForm, Bytes> =>
  new Map(forms.filter((form): form is [SecretForm, Bytes] => form[1] !== undefined));

/**
 * Returns the bytes of a secret for each way in which senders read secrets.
 *
 * @throws {@link WebhookConfigurationError} When the secret is invalid.
 */
export const secretForms = (secret: Secret): Map<SecretForm, Bytes> => {
  const bytes = secretBytes(secret);
  const text = typeof secret === 'string' ? secret : '';
  return mapOf([
    ['as given', bytes],
    ['hex', fromHex(text)],
    ['base64', decoded(() => decodeBase64(text))],
    ['base64 after its prefix', decoded(() => decodeBase64(text.slice(text.indexOf('_') + 1)))],
  ]);
};

/** Does the same for a scheme that decodes secrets, although some of its senders use the characters instead. */
export const standardSecretForms = (scheme: SignatureScheme, secret: Secret): Map<SecretForm, Bytes> =>
  mapOf([
    ['as given', decoded(() => scheme.key(secret))],
    ['hex', secretForms(secret).get('hex')],
    ['UTF-8', typeof secret === 'string' ? encodeText(secret) : undefined],
  ]);
