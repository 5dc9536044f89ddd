import { checkThat, isBoolean, oneOf } from '@confab/internal';
import { WebhookError } from '../errors.ts';
import type { Check } from '../option-checks.ts';
import { checkOptions, DEFAULT_TOLERANCE, isHeaderName, isSeconds, isUnit } from '../option-checks.ts';
import type { SignatureEncoding } from './encoding.ts';
import { decodeSignature, describeEncoding, encodeSignature, SIGNATURE_ENCODINGS } from './encoding.ts';
import type { SignatureScheme, TimestampUnit } from './scheme.ts';
import { formatSource, isTimestamp, noSignatureError, readSignatureList } from './scheme.ts';
import { toSecretBytes } from './secret.ts';

/** Options of {@link timestamped}. The defaults are those of Stripe. */
export interface TimestampedOptions {
  /** The name of the header, in any case, such as `stripe-signature`. */
  header: string;
  /**
   * The unit of the Unix time. Stripe and Paddle write seconds, WorkOS milliseconds.
   * @default 'seconds'
   */
  unit?: TimestampUnit | undefined;
  /**
   * Seconds by which the timestamp may differ from the current time, in either direction.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * The name of the field with the Unix time. It must occur once.
   * @default 't'
   */
  timestampField?: string | undefined;
  /**
   * The name of the field with a signature. It may occur several times; other fields are ignored.
   * @default 'v1'
   */
  signatureField?: string | undefined;
  /**
   * The text between two fields: one of `,` `;` `&` `|` with or without a space after it, or a space.
   * @default ','
   */
  delimiter?: string | undefined;
  /**
   * The text between the timestamp and the body in the signed bytes. Its first character must not be a digit.
   * @default '.'
   */
  separator?: string | undefined;
  /**
   * The encoding of the 32 bytes of a signature.
   * @default 'hex'
   */
  encoding?: SignatureEncoding | undefined;
  /**
   * Set this if the body is compressed after it was signed: see `SignatureOptions`.
   * @default false
   */
  decompress?: boolean | undefined;
}

const matches = (pattern: RegExp, words: string): Check =>
  checkThat((value) => typeof value === 'string' && pattern.test(value), words);

/** Returns the only timestamp of a header. */
const requireTimestamp = ([timestamp, ...more]: readonly string[], header: string, field: string): string => {
  if (more.length > 0) {
    throw new WebhookError(
      'AMBIGUOUS_SIGNATURE',
      `The "${header}" header has several fields "${field}" instead of one. Check the proxies in front of this receiver.`,
    );
  }
  if (timestamp === undefined || !isTimestamp(timestamp)) {
    throw new WebhookError(
      'MALFORMED_SIGNATURE',
      `The "${header}" header must contain "${field}=" and a Unix time, 1 to 15 digits.`,
    );
  }
  return timestamp;
};

/**
 * The scheme of Stripe, `t=1700000000,v1=9f86…`: one header with the timestamp and one or more signatures over the
 * timestamp, a period and the body. The options adapt the scheme to similar senders.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid.
 *
 * @example
 * ```ts
 * const webhooks = createWebhooks({ secret, signature: timestamped({ header: 'stripe-signature' }) });
 * ```
 */
export const timestamped = (options: TimestampedOptions): SignatureScheme => {
  const isFieldName = matches(/^\w{1,64}$/, 'letters, digits and underscores');
  checkOptions(
    'timestamped option',
    options,
    {
      header: isHeaderName,
      unit: isUnit,
      toleranceSeconds: isSeconds,
      timestampField: isFieldName,
      signatureField: isFieldName,
      delimiter: matches(/^(?:[,;&|] ?| )$/, 'one of , ; & | with or without a space after it, or a space'),
      separator: matches(
        /^\D/,
        'a text that starts with a character that is not a digit, so that digits cannot move between the timestamp and the body',
      ),
      encoding: oneOf(...SIGNATURE_ENCODINGS),
      decompress: isBoolean,
    },
    ['header'],
  );
  const { timestampField = 't', signatureField = 'v1', delimiter = ',', separator = '.' } = options;
  const { toleranceSeconds = DEFAULT_TOLERANCE, encoding = 'hex', unit = 'seconds' } = options;
  const header = options.header.toLowerCase();

  const signatureStart = `${signatureField}=`;
  const unsigned = () =>
    noSignatureError(header, `"${signatureStart}" and 32 bytes in ${describeEncoding(encoding)}`);

  return {
    source: formatSource('timestamped', options),
    signsId: false,
    toleranceSeconds,
    unit,
    decompress: options.decompress,
    key: toSecretBytes,
    read: (headers) => {
      const timestamps: string[] = [];
      const signatures: Uint8Array[] = [];
      for (const item of readSignatureList(headers, header).split(delimiter)) {
        if (item.startsWith(signatureStart)) {
          const signature = decodeSignature(item.slice(signatureStart.length), encoding);
          if (signature !== undefined) {
            signatures.push(signature);
          }
        } else {
          const [name = ''] = item.split('=', 1);
          // The name is trimmed, because `Headers` joins repeated headers with a comma and a space, and a second timestamp
          // must be detected.
          if (name.trim() === timestampField) {
            timestamps.push(item.slice(name.length + 1));
          } else if (name === signatureField) {
            // The equals sign is missing. Refused, as by stripe-node.
            throw unsigned();
          }
        }
      }
      const timestamp = requireTimestamp(timestamps, header, timestampField);
      if (signatures.length === 0) {
        throw unsigned();
      }
      return { signatures, timestamp, preamble: timestamp + separator };
    },
    write: async ({ timestamp }, digest) => {
      const signature = encodeSignature(await digest(timestamp + separator), encoding);
      return { [header]: `${timestampField}=${timestamp}${delimiter}${signatureField}=${signature}` };
    },
  };
};
