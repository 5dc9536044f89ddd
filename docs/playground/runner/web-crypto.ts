import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

type Algorithm = string | { readonly name: string; readonly hash?: Algorithm | undefined };

const toBytes = (data: BufferSource): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

const nameOf = (algorithm: Algorithm | undefined): string | undefined =>
  (typeof algorithm === 'object' ? algorithm.name : algorithm)?.toUpperCase();

const refuse = (what: string): never => {
  throw new DOMException(
    `The playground has HMAC with SHA-256, and SHA-256, but not ${what}.`,
    'NotSupportedError',
  );
};

/** The part of `crypto.subtle` that the webhooks package uses: HMAC with SHA-256, and SHA-256. */
export const subtle = {
  importKey: async (format: string, bytes: BufferSource, algorithm: Algorithm): Promise<Uint8Array> => {
    const hash = typeof algorithm === 'object' ? nameOf(algorithm.hash) : undefined;
    if (format !== 'raw' || nameOf(algorithm) !== 'HMAC' || hash !== 'SHA-256') {
      return refuse(`${format} ${nameOf(algorithm)} ${hash ?? ''}`.trim());
    }
    return toBytes(bytes).slice();
  },
  sign: async (algorithm: Algorithm, key: Uint8Array, data: BufferSource) =>
    nameOf(algorithm) === 'HMAC' ? hmac(sha256, key, toBytes(data)).buffer : refuse(`${nameOf(algorithm)}`),
  digest: async (algorithm: Algorithm, data: BufferSource) =>
    nameOf(algorithm) === 'SHA-256' ? sha256(toBytes(data)).buffer : refuse(`${nameOf(algorithm)}`),
};

export const randomUUID = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) =>
    // The version and the variant of a random UUID.
    (index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte)
      .toString(16)
      .padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

// Only secure contexts have these, and a worker in a frame without an origin is not one.
if (crypto.subtle === undefined) {
  Object.defineProperty(crypto, 'subtle', { value: subtle });
  Object.defineProperty(crypto, 'randomUUID', { value: randomUUID });
}
