import { namesOf } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { CheckNames } from '../options/check-names.ts';
import { isPlaceholder, placeholderProblem } from '../options/placeholder.ts';
import type { SignatureEncoding } from './signature-encoding.ts';
import { SIGNATURE_ENCODINGS } from './signature-encoding.ts';

/** Where a delivery carries its signature, and how it is written. */
export interface SignatureOptions {
  /** Name of the header, in any case. The API does not document it: look at a delivery, or use `detectSignature`. */
  header: string;
  /**
   * How the 32 bytes are written. `auto` takes any of the three, and signs in hex.
   * @default 'auto'
   */
  encoding?: SignatureEncoding | 'auto' | undefined;
  /**
   * What stands before the signature, such as `sha256=`. If named, a value without it is refused.
   * @default ''
   */
  prefix?: string | undefined;
  /** If the sender signs a timestamp with the body; otherwise the body alone is signed. */
  timestamp?: TimestampOptions | undefined;
}

/** A signed timestamp, which bounds how long a captured delivery can be replayed. */
export interface TimestampOptions {
  /** Name of the header with the Unix time in seconds, in any case. */
  header: string;
  /**
   * Seconds that the timestamp may differ from now, to either side.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * What stands between the timestamp and the body in the signed bytes.
   * @default '.'
   */
  separator?: string | undefined;
}

const NAMES = /* @__PURE__ */ namesOf<SignatureOptions>({
  header: true,
  encoding: true,
  prefix: true,
  timestamp: true,
});

const TIMESTAMP_NAMES = /* @__PURE__ */ namesOf<TimestampOptions>({
  header: true,
  toleranceSeconds: true,
  separator: true,
});

/** {@link SignatureOptions}, checked and with the defaults filled in. */
export interface SignatureScheme {
  readonly header: string;
  readonly encoding: SignatureEncoding | 'auto';
  readonly prefix: string;
  readonly timestamp:
    | { readonly header: string; readonly toleranceSeconds: number; readonly separator: string }
    | undefined;
}

const textOf = (value: unknown, option: string): string => {
  if (typeof value !== 'string') {
    throw new WebhookConfigurationError(`${option} must be a string, not ${typeof value}.`);
  }
  if (isPlaceholder(value)) {
    throw new WebhookConfigurationError(`${option} ${placeholderProblem(value)}`);
  }
  return value;
};

const headerName = (name: unknown, option: string): string => {
  if (typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return textOf(name, option).toLowerCase();
  }
  throw new WebhookConfigurationError(
    `${option} must be a header name, such as "x-webhook-signature", not ${JSON.stringify(name)}.`,
  );
};

/**
 * Checks signature options once, so that a delivery never meets an invalid one.
 *
 * @throws {@link WebhookConfigurationError} naming the option.
 */
export const signatureScheme = (options: SignatureOptions, checkNames: CheckNames): SignatureScheme => {
  checkNames('field of signature', options, NAMES);
  const {
    header: name,
    encoding = 'auto',
    prefix = '',
    timestamp,
  }: Partial<SignatureOptions> = options ?? {};
  const header = headerName(name, 'signature.header');
  if (encoding !== 'auto' && !SIGNATURE_ENCODINGS.includes(encoding)) {
    throw new WebhookConfigurationError(
      `signature.encoding must be "auto", "hex", "base64" or "base64url", not ${JSON.stringify(encoding)}.`,
    );
  }
  const scheme = { header, encoding, prefix: textOf(prefix, 'signature.prefix'), timestamp: undefined };
  if (timestamp === undefined) {
    return scheme;
  }
  checkNames('field of signature.timestamp', timestamp, TIMESTAMP_NAMES);
  const { toleranceSeconds = 300, separator = '.' } = timestamp;
  if (!(toleranceSeconds > 0 && toleranceSeconds < Number.POSITIVE_INFINITY)) {
    throw new WebhookConfigurationError(
      `signature.timestamp.toleranceSeconds must be a number above 0, not ${toleranceSeconds}.`,
    );
  }
  return {
    ...scheme,
    timestamp: {
      header: headerName(timestamp.header, 'signature.timestamp.header'),
      toleranceSeconds,
      separator: textOf(separator, 'signature.timestamp.separator'),
    },
  };
};
