import type { Bytes } from '../bytes/to-bytes.ts';

/** Computes HMAC-SHA256 with one secret over a preamble (the timestamp and its separator, often empty) and a body. */
type HmacKey = (preamble: string, body: Bytes | string) => Uint8Array | Promise<Uint8Array>;

/** An implementation of HMAC-SHA256. */
export interface Hmac {
  /** Prepares a secret once for many bodies. */
  readonly key: (secret: Bytes) => HmacKey;
  /** Compares two digests of 32 bytes in constant time, so timing does not reveal where they differ. */
  readonly equal: (a: Uint8Array, b: Uint8Array) => boolean;
}
