import { webCryptoHmac } from '../../src/signature/hmac-web-crypto.ts';
import { platformHmac } from '../../src/signature/platform-hmac.ts';

/** Both implementations of HMAC. Every test of a signature runs with each of them. */
export const cryptoPaths = [
  { name: 'node', ...platformHmac() },
  { name: 'webcrypto', ...webCryptoHmac },
];
