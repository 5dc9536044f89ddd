import type { Hmac } from './hmac.ts';
import { findNodeHmac } from './hmac-node.ts';
import { webCryptoHmac } from './hmac-web-crypto.ts';

let found: Hmac | undefined;

/** Returns the fastest implementation: `node:crypto` where the runtime has it, WebCrypto elsewhere. */
export const platformHmac = (): Hmac => {
  found ??= findNodeHmac() ?? webCryptoHmac;
  return found;
};
