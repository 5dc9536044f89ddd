import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { decodeBase64, decodeHex } from '../signature/encoding.ts';
import type { SignatureScheme } from '../signature/scheme.ts';
import type { Secret } from '../signature/secret.ts';
import { secretBytes } from '../signature/secret.ts';

/** The way to read the text of a secret as bytes. */
export type SecretForm = 'as given' | 'hex' | 'base64' | 'base64 after its prefix' | 'UTF-8';

/** All forms, the usual ones first. */
export const SECRET_FORMS: readonly SecretForm[] = [
  'as given',
  'hex',
  'base64',
  'base64 after its prefix',
  'UTF-8',
];

/** Keeps the forms in which the secret can be read, and in which it is not empty. */
const readable = (forms: readonly [form: SecretForm, read: () => Bytes | undefined][]) =>
  new Map(
    forms.flatMap(([form, read]): [SecretForm, Bytes][] => {
      try {
        const bytes = read();
        return bytes && bytes.byteLength > 0 ? [[form, bytes]] : [];
      } catch {
        return [];
      }
    }),
  );

const fromHex = (text: string): Bytes | undefined =>
  /^(?:[0-9a-f]{2})+$/i.test(text) ? decodeHex(text.toLowerCase()) : undefined;

/**
 * Returns the bytes of a secret for each way in which senders read secrets.
 *
 * @throws {@link WebhookConfigurationError} When the secret is invalid.
 */
export const secretForms = (secret: Secret): Map<SecretForm, Bytes> => {
  const bytes = secretBytes(secret);
  const text = typeof secret === 'string' ? secret : '';
  return readable([
    ['as given', () => bytes],
    ['hex', () => fromHex(text)],
    ['base64', () => decodeBase64(text)],
    ['base64 after its prefix', () => decodeBase64(text.slice(text.indexOf('_') + 1))],
  ]);
};

/** Does the same for a scheme that decodes secrets. Some of its senders use the characters of the secret instead. */
export const secretFormsFor = (scheme: SignatureScheme, secret: Secret): Map<SecretForm, Bytes> =>
  readable([
    ['as given', () => scheme.key(secret)],
    ['hex', () => fromHex(String(secret))],
    ['UTF-8', () => (typeof secret === 'string' ? encodeText(secret) : undefined)],
  ]);
