import { builtinModule } from '@confab/internal';
import type { Hmac } from './hmac.ts';

/** The used part of `node:crypto`, declared here because Node's types are missing on other platforms. */
interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: unknown): NodeHmac;
  createSecretKey(secret: Uint8Array): unknown;
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

interface NodeHmac {
  update(data: string | Uint8Array): NodeHmac;
  digest(encoding: 'latin1'): string;
}

interface NodeGlobal {
  Buffer?: { from(text: string, encoding: 'latin1'): Uint8Array };
}

/**
 * Returns the HMAC of `node:crypto`, or `undefined` on runtimes without it.
 *
 * It is 2 to 3 times as fast as WebCrypto.
 */
export const findNodeHmac = (): Hmac | undefined => {
  const { Buffer } = globalThis as NodeGlobal;
  const crypto = builtinModule('node:crypto') as NodeCrypto | undefined;
  if (crypto === undefined || Buffer === undefined) {
    return undefined;
  }
  return {
    key: (secret) => {
      const key = crypto.createSecretKey(secret);
      return (preamble, body) => {
        const hmac = crypto.createHmac('sha256', key);
        // An update with nothing costs as much as one with a kilobyte.
        // Stryker disable next-line ConditionalExpression,StringLiteral: `update("")` has no effect, and the encoding applies to strings only.
        const digest = (preamble === '' ? hmac : hmac.update(preamble)).update(body).digest('latin1');
        // Bytes in a text come from a pool, while digest() would allocate 32 of their own: a tenth of the whole time.
        return Buffer.from(digest, 'latin1');
      };
    },
    equal: crypto.timingSafeEqual,
  };
};
