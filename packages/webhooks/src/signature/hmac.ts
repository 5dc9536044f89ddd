import type { Bytes } from '../bytes/to-bytes.ts';

/** HMAC-SHA256 under one secret, of a lead (the timestamp and what joins it; often empty) and a body. */
type HmacKey = (lead: string, body: Bytes | string) => Uint8Array | Promise<Uint8Array>;

/** One implementation of HMAC-SHA256. */
export interface Hmac {
  readonly name: 'node' | 'webcrypto';
  /** Prepares a secret once, for many bodies. */
  readonly key: (secret: Bytes) => HmacKey;
  /** Compares two digests of 32 bytes in a time that does not tell where they differ. */
  readonly equal: (a: Uint8Array, b: Uint8Array) => boolean;
}
