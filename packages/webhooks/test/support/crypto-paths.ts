import { webCryptoHmac } from '../../src/signature/hmac-web-crypto.ts';
import { platformHmac } from '../../src/signature/platform-hmac.ts';

/** Both implementations of HMAC: every test of a signature runs on each. */
export const cryptoPaths = [platformHmac(), webCryptoHmac];
