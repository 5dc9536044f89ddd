import type { Hmac } from './hmac.ts';

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/** The HMAC of WebCrypto, which every runtime has. */
export const webCryptoHmac: Hmac = {
  key: (secret) => {
    let imported: Promise<CryptoKey> | undefined;
    return async (preamble, body) => {
      // Not before first use, because Workers forbid asynchronous work at startup, when receivers are created.
      imported ??= crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['sign']);
      // WebCrypto cannot continue a MAC. A blob concatenates and encodes in fewer bytes of code than anything else.
      const message = await new Blob([preamble, body]).arrayBuffer();
      return new Uint8Array(await crypto.subtle.sign('HMAC', await imported, message));
    };
  },
  equal: (a, b) =>
    a.reduce((difference, byte, at) => difference | (byte ^ (b[at] ?? 0)), a.byteLength ^ b.byteLength) === 0,
};
