import type { Hmac } from './hmac.ts';

/** The part of `node:crypto` in use, so that nobody needs Node's types to use this package elsewhere. */
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
 * HMAC by `node:crypto`, where there is one.
 *
 * It is 2 to 3 times as fast as WebCrypto, and asking the runtime for it leaves no import that a bundler for
 * Workers or browsers would trip over.
 */
export const findNodeHmac = (): Hmac | undefined => {
  const crypto = (globalThis as NodeGlobal).process?.getBuiltinModule?.('node:crypto');
  if (crypto === undefined) {
    return undefined;
  }
  return {
    name: 'node',
    key: (secret) => {
      const key = crypto.createSecretKey(secret);
      return (lead, body) => {
        const hmac = crypto.createHmac('sha256', key);
        if (lead !== '') {
          hmac.update(lead);
        }
        return hmac.update(body).digest();
      };
    },
    equal: crypto.timingSafeEqual,
  };
};
