import type { Hmac } from './hmac.ts';

/** The used part of `node:crypto`, declared here because Node's types are missing on other platforms. */
interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: unknown): NodeHmac;
  createSecretKey(secret: Uint8Array): unknown;
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
}

interface NodeHmac {
  update(data: string | Uint8Array): NodeHmac;
  digest(): Uint8Array;
}

interface NodeGlobal {
  process?: { getBuiltinModule?: (id: 'node:crypto') => NodeCrypto | undefined };
}

/**
 * Returns the HMAC of `node:crypto`, or `undefined` on runtimes without it.
 *
 * It is 2 to 3 times as fast as WebCrypto. Getting it from the runtime avoids an import that would break bundles for
 * Workers and browsers.
 */
export const findNodeHmac = (): Hmac | undefined => {
  const crypto = (globalThis as NodeGlobal).process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) {
    return undefined;
  }
  return {
    key: (secret) => {
      const key = crypto.createSecretKey(secret);
      return (preamble, body) => {
        const hmac = crypto.createHmac('sha256', key);
        // An update with nothing costs as much as one with a kilobyte.
        return (preamble === '' ? hmac : hmac.update(preamble)).update(body).digest();
      };
    },
    equal: crypto.timingSafeEqual,
  };
};
