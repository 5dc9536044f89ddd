import type { Bytes } from '../body.ts';
import { encodeText } from '../body.ts';
import { decodeBase64, decodeHex } from '../signature/encoding.ts';
import type { Secret } from '../signature/secret.ts';
import { toSecretBytes } from '../signature/secret.ts';

/** A way to convert the text of a secret to bytes. */
export type SecretForm = 'as given' | 'hex' | 'base64' | 'base64 after its prefix' | 'UTF-8';

/**
 * Decodes a secret in each form that senders use, the most common one first. Forms in which this secret is invalid or empty
 * are left out.
 */
export const decodeSecret = (secret: Secret): Map<SecretForm, Bytes> => {
  const text = typeof secret === 'string' ? secret : '';
  const forms: Record<SecretForm, () => Bytes> = {
    'as given': () => toSecretBytes(secret),
    hex: () => decodeHex(/^(?:[0-9a-f]{2})+$/i.test(text) ? text.toLowerCase() : ''),
    base64: () => decodeBase64(text),
    'base64 after its prefix': () => decodeBase64(text.slice(text.indexOf('_') + 1)),
    'UTF-8': () => encodeText(text),
  };
  const readable = new Map<SecretForm, Bytes>();
  for (const form of Object.keys(forms) as SecretForm[]) {
    try {
      const bytes = forms[form]();
      if (bytes.byteLength > 0) {
        readable.set(form, bytes);
      }
    } catch {
      // The text is invalid in this form.
    }
  }
  return readable;
};
