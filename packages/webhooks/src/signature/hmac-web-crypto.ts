import { encodeText } from '../bytes/to-bytes.ts';
import type { Hmac } from './hmac.ts';

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/** The HMAC of WebCrypto, which every runtime has. */
export const webCryptoHmac: Hmac = {
  key: (secret) => {
    let imported: Promise<CryptoKey> | undefined;
    return async (preamble, body) => {
      // Not before first use, because Workers forbid asynchronous work at startup, when receivers are created.
      imported ??= crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign']);
      const bytes = typeof body === 'string' ? encodeText(body) : body;
      // WebCrypto cannot continue a MAC. A blob concatenates in fewer bytes of code than anything else.
      const message = preamble === '' ? bytes : await new Blob([preamble, bytes]).arrayBuffer();
      return new Uint8Array(await crypto.subtle.sign('HMAC', await imported, message));
    };
  },
  equal: (a, b) => {
    let difference = a.byteLength ^ b.byteLength;
    for (let index = 0; index < b.byteLength; index += 1) {
      difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
    }
    return difference === 0;
  },
};
