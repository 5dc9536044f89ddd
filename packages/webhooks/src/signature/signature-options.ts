import { namesOf } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { CheckNames } from '../options/check-names.ts';
import { positiveNumber } from '../options/check-values.ts';
import { isPlaceholder, placeholderProblem } from '../options/placeholder.ts';
import type { SignatureEncoding } from './signature-encoding.ts';
import { SIGNATURE_ENCODINGS } from './signature-encoding.ts';

/** The header that carries a delivery's signature, and its format. */
export interface SignatureOptions {
  /**
   * The name of the header, in any case. The API does not document it; look at a delivery, or call `detectSignature`.
   */
  header: string;
  /**
   * The encoding of the 32 bytes. `auto` accepts all three encodings, and signs in hex.
   * @default 'auto'
   */
  encoding?: SignatureEncoding | 'auto' | undefined;
  /**
   * The text before the signature, such as `sha256=`. Values without this prefix are refused.
   * @default ''
   */
  prefix?: string | undefined;
  /** Set this if the sender signs a timestamp together with the body. */
  timestamp?: TimestampOptions | undefined;
}

/** A signed timestamp, which limits how long a captured delivery can be replayed. */
export interface TimestampOptions {
  /** The name of the header that carries the Unix time in seconds, in any case. */
  header: string;
  /**
   * Seconds by which the timestamp may differ from the current time, in either direction.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * The text between the timestamp and the body in the signed bytes.
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

/** {@link SignatureOptions} after validation, with the defaults applied. */
export interface PlainScheme {
  readonly header: string;
  readonly encoding: SignatureEncoding | 'auto';
  readonly prefix: string;
  readonly timestamp:
    | { readonly header: string; readonly toleranceSeconds: number; readonly separator: string }
    | undefined;
}

/**
 * Validates an option that is a text.
 *
 * @throws {@link WebhookConfigurationError} When it is not, or a placeholder such as "undefined".
 */
export const textOf = (value: unknown, option: string): string => {
  if (typeof value !== 'string') {
    throw new WebhookConfigurationError(`${option} must be a string, got ${typeof value}.`);
  }
  if (isPlaceholder(value)) {
    throw new WebhookConfigurationError(`${option} ${placeholderProblem(value)}`);
  }
  return value;
};

/**
 * Validates the name of a header and returns it in lower case.
 *
 * @throws {@link WebhookConfigurationError} When it is invalid.
 */
export const headerName = (name: unknown, option: string): string => {
  if (typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return textOf(name, option).toLowerCase();
  }
  throw new WebhookConfigurationError(`${option} must be a header name, got ${JSON.stringify(name)}.`);
};

/** Validates the options of the timestamp. */
const plainTimestamp = (
  options: TimestampOptions,
  signatureHeader: string,
  checkNames: CheckNames,
): PlainScheme['timestamp'] => {
  checkNames('field of signature.timestamp', options, TIMESTAMP_NAMES);
  const { toleranceSeconds = 300, separator = '.' } = options;
  const header = headerName(options.header, 'signature.timestamp.header');
  if (header === signatureHeader) {
    throw new WebhookConfigurationError('signature.timestamp.header must not be signature.header.');
  }
  return {
    header,
    toleranceSeconds: positiveNumber(toleranceSeconds, 'signature.timestamp.toleranceSeconds'),
    separator: textOf(separator, 'signature.timestamp.separator'),
  };
};

/**
 * Validates signature options once, before any delivery arrives.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const plainScheme = (options: SignatureOptions, checkNames: CheckNames): PlainScheme => {
  if (typeof options !== 'object') {
    throw new WebhookConfigurationError(
      `signature must be { header: "x-sig" } or standardWebhooks(), got ${typeof options}.`,
    );
  }
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
      `signature.encoding must be one of auto, ${SIGNATURE_ENCODINGS.join(', ')}; got ${JSON.stringify(encoding)}.`,
    );
  }
  return {
    header,
    encoding,
    prefix: textOf(prefix, 'signature.prefix'),
    timestamp: timestamp === undefined ? undefined : plainTimestamp(timestamp, header, checkNames),
  };
};
