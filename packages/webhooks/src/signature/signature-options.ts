import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { SIGNATURE_ENCODINGS, type SignatureEncoding } from './signature-encoding.ts';

/** Where a delivery carries its signature, and how it is written. */
export interface SignatureOptions {
  /** Name of the header, in any case. The API does not document it: look at a delivery, or use `detectSignature`. */
  header: string;
  /**
   * How the 32 bytes are written. `auto` takes any of the three, and signs in hex.
   * @default 'auto'
   */
  encoding?: SignatureEncoding | 'auto';
  /**
   * What stands before the signature, such as `sha256=`. If named, a value without it is refused.
   * @default ''
   */
  prefix?: string;
  /** If the sender signs a timestamp with the body; otherwise the body alone is signed. */
  timestamp?: TimestampOptions;
}

/** A signed timestamp, which bounds how long a captured delivery can be replayed. */
export interface TimestampOptions {
  /** Name of the header with the Unix time in seconds, in any case. */
  header: string;
  /**
   * Seconds that the timestamp may differ from now, to either side.
   * @default 300
   */
  toleranceSeconds?: number;
  /**
   * What stands between the timestamp and the body in the signed bytes.
   * @default '.'
   */
  separator?: string;
}

/** {@link SignatureOptions}, checked and with the defaults filled in. */
export interface SignatureScheme {
  readonly header: string;
  readonly encoding: SignatureEncoding | 'auto';
  readonly prefix: string;
  readonly timestamp:
    | { readonly header: string; readonly toleranceSeconds: number; readonly separator: string }
    | undefined;
}

const headerName = (name: unknown, option: string): string => {
  if (typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name.toLowerCase();
  throw new WebhookConfigurationError(
    `${option} must be a header name, such as "x-webhook-signature", not ${JSON.stringify(name)}.`,
  );
};

/**
 * Checks signature options once, so that a delivery never meets a wrong one.
 *
 * @throws WebhookConfigurationError naming the option.
 */
export const signatureScheme = (options: SignatureOptions): SignatureScheme => {
  const { encoding = 'auto', prefix = '', timestamp } = options ?? {};
  const header = headerName(options?.header, 'signature.header');
  if (encoding !== 'auto' && !SIGNATURE_ENCODINGS.includes(encoding)) {
    throw new WebhookConfigurationError(
      `signature.encoding must be "auto", "hex", "base64" or "base64url", not ${JSON.stringify(encoding)}.`,
    );
  }
  if (typeof prefix !== 'string') {
    throw new WebhookConfigurationError(`signature.prefix must be a string, not ${typeof prefix}.`);
  }
  if (timestamp === undefined) return { header, encoding, prefix, timestamp };
  const { toleranceSeconds = 300, separator = '.' } = timestamp;
  if (!(toleranceSeconds > 0 && toleranceSeconds < Number.POSITIVE_INFINITY)) {
    throw new WebhookConfigurationError(
      `signature.timestamp.toleranceSeconds must be a number above 0, not ${toleranceSeconds}.`,
    );
  }
  if (typeof separator !== 'string') {
    throw new WebhookConfigurationError(
      `signature.timestamp.separator must be a string, not ${typeof separator}.`,
    );
  }
  const timestampHeader = headerName(timestamp.header, 'signature.timestamp.header');
  return { header, encoding, prefix, timestamp: { header: timestampHeader, toleranceSeconds, separator } };
};
