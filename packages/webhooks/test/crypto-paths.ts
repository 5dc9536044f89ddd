import { platformHmac } from '../src/signature/hmac.ts';
import { webCryptoHmac } from '../src/signature/hmac-web-crypto.ts';

/** Both implementations of HMAC: every test of a signature runs on each. */
export const cryptoPaths = [platformHmac(), webCryptoHmac];
