import { readSignature } from './read-signature.ts';
import { secretBytes } from './secret.ts';
import type { PlainScheme } from './signature-options.ts';
import type { SignatureScheme } from './signature-scheme.ts';
import { readTimestamp } from './timestamp.ts';

/** The part of a scheme that verifies deliveries. */
export type SignatureReader = Pick<SignatureScheme, 'key' | 'read' | 'signsId' | 'toleranceSeconds'>;

/** Reads signatures as {@link SignatureOptions} describe them. */
export const plainReader = (scheme: PlainScheme): SignatureReader => {
  const { timestamp } = scheme;
  return {
    signsId: false,
    toleranceSeconds: timestamp?.toleranceSeconds ?? 0,
    key: secretBytes,
    read: (headers) => {
      const signatures = [readSignature(headers, scheme)];
      if (timestamp === undefined) {
        return { signatures, preamble: '' };
      }
      const digits = readTimestamp(headers, timestamp.header);
      return { signatures, timestamp: digits, preamble: digits + timestamp.separator };
    },
  };
};
