import { decodeBase64 } from '../bytes/decode-base64.ts';
import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { Secret } from './secret.ts';
import { secretBytes } from './secret.ts';

const PREFIX = 'whsec_';

/**
 * Returns the key of a secret in base64, with or without `whsec_` before it. A `Uint8Array` is the key itself.
 *
 * A key may be shorter than the 24 bytes that the specification asks for: docs/decisions/0204.
 *
 * @throws {@link WebhookConfigurationError} When the secret is invalid.
 */
export const base64Key = (secret: Secret, name = 'secret'): Bytes => {
  const bytes = secretBytes(secret, name);
  if (typeof secret !== 'string') {
    return bytes;
  }
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  // Padding is optional, because the key is unambiguous without it. atob() alone would also skip white space.
  if (!/^[A-Za-z0-9+/]{2,}={0,2}$/.test(text)) {
    throw notBase64(name);
  }
  try {
    return decodeBase64(text);
  } catch {
    throw notBase64(name);
  }
};

const notBase64 = (name: string) =>
  new WebhookConfigurationError(
    `${name} must be base64, usually with whsec_ before it. If the sender uses its characters as the key, pass new TextEncoder().encode(secret).`,
  );
