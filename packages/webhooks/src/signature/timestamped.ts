import { namesOf } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import { checkNames } from '../options/check-names.ts';
import { positiveNumber } from '../options/check-values.ts';
import { optionsText } from './options-text.ts';
import { singleHeader } from './read-signature.ts';
import { secretBytes } from './secret.ts';
import type { SignatureEncoding } from './signature-encoding.ts';
import { decodeSignature, encodeSignature, SIGNATURE_ENCODINGS } from './signature-encoding.ts';
import { checkHeaderLength, noSignature } from './signature-items.ts';
import { headerName, textOf } from './signature-options.ts';
import type { SignatureScheme } from './signature-scheme.ts';
import { isTimestamp } from './timestamp.ts';

/** Options of {@link timestamped}. The defaults are those of Stripe. */
export interface TimestampedOptions {
  /** The name of the header, in any case, such as `stripe-signature`. */
  header: string;
  /**
   * Seconds by which the timestamp may differ from the current time, in either direction.
   * @default 300
   */
  toleranceSeconds?: number | undefined;
  /**
   * The name of the field with the Unix time in seconds. It must occur once.
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
   * The text between the timestamp and the body in the signed bytes. It starts with anything but a digit.
   * @default '.'
   */
  separator?: string | undefined;
  /**
   * The encoding of the 32 bytes of a signature.
   * @default 'hex'
   */
  encoding?: SignatureEncoding | undefined;
}

const NAMES = /* @__PURE__ */ namesOf<TimestampedOptions>({
  header: true,
  toleranceSeconds: true,
  timestampField: true,
  signatureField: true,
  delimiter: true,
  separator: true,
  encoding: true,
});

const fieldName = (name: unknown, option: string): string => {
  // Stryker disable next-line ConditionalExpression: textOf() accepts texts only.
  if (typeof name === 'string' && /^\w{1,64}$/.test(name)) {
    return textOf(name, option);
  }
  throw new WebhookConfigurationError(
    `${option} must be letters, digits and underscores, got ${JSON.stringify(name)}.`,
  );
};

const encodingOf = (encoding: SignatureEncoding): SignatureEncoding => {
  if (SIGNATURE_ENCODINGS.includes(encoding)) {
    return encoding;
  }
  throw new WebhookConfigurationError(
    `encoding must be "hex", "base64" or "base64url", got ${JSON.stringify(encoding)}.`,
  );
};

const delimiterOf = (delimiter: unknown): string => {
  if (typeof delimiter === 'string' && /^(?:[,;&|] ?| )$/.test(delimiter)) {
    return delimiter;
  }
  throw new WebhookConfigurationError(
    `delimiter must be one of , ; & | with or without a space after it, or a space, got ${JSON.stringify(delimiter)}.`,
  );
};

const separatorOf = (separator: unknown): string => {
  const text = textOf(separator, 'separator');
  if (/^\D/.test(text)) {
    return text;
  }
  throw new WebhookConfigurationError(
    `separator must start with a character that is not a digit, so that digits cannot move between the timestamp and the body, got ${JSON.stringify(text)}.`,
  );
};

/** Returns the only timestamp of a header. */
const onlyTimestamp = ([timestamp, ...more]: readonly string[], header: string, field: string): string => {
  if (more.length > 0) {
    throw new WebhookError(
      'AMBIGUOUS_SIGNATURE',
      `The "${header}" header has several fields "${field}" instead of one. Check the proxies before this receiver.`,
    );
  }
  // Stryker disable next-line ConditionalExpression: The text "undefined" is no timestamp either.
  if (timestamp === undefined || !isTimestamp(timestamp)) {
    throw new WebhookError(
      'MALFORMED_SIGNATURE',
      `The "${header}" header must contain "${field}=" and a Unix time in whole seconds.`,
    );
  }
  return timestamp;
};

/**
 * The scheme of Stripe, `t=1700000000,v1=9f86…`: one header with the timestamp and one or more signatures over the
 * timestamp, a full stop and the body. Options adapt it to other senders of this form.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 *
 * @example
 * ```ts
 * const webhooks = createWebhooks({ secret, signature: timestamped({ header: 'stripe-signature' }) });
 * ```
 */
export const timestamped = (options: TimestampedOptions): SignatureScheme => {
  checkNames('option of timestamped', options, NAMES);
  const header = headerName(options.header, 'header');
  const timestampField = fieldName(options.timestampField ?? 't', 'timestampField');
  const signatureField = fieldName(options.signatureField ?? 'v1', 'signatureField');
  const delimiter = delimiterOf(options.delimiter ?? ',');
  const separator = separatorOf(options.separator ?? '.');
  const encoding = encodingOf(options.encoding ?? 'hex');
  if (timestampField === signatureField) {
    throw new WebhookConfigurationError(
      `timestampField and signatureField must differ, got ${JSON.stringify(timestampField)} for both.`,
    );
  }

  const signatureStart = `${signatureField}=`;
  const unsigned = () => noSignature(header, `"${signatureStart}" and 32 bytes in ${encoding}`);

  return {
    source: `timestamped(${optionsText(options)})`,
    signsId: false,
    toleranceSeconds: positiveNumber(options.toleranceSeconds ?? 300, 'toleranceSeconds'),
    key: secretBytes,
    read: (headers) => {
      const value = singleHeader(headers, header);
      checkHeaderLength(value, header);
      const timestamps: string[] = [];
      const signatures: Uint8Array[] = [];
      for (const item of value.split(delimiter)) {
        if (item.startsWith(signatureStart)) {
          const signature = decodeSignature(item.slice(signatureStart.length), encoding);
          if (signature !== undefined) {
            signatures.push(signature);
          }
        } else {
          // Stryker disable next-line StringLiteral: split() always returns a first part.
          const [name = '', ...rest] = item.split('=');
          // Trimmed, because `Headers` joins repeated headers with a comma and a space, and a second timestamp must show.
          if (name.trim() === timestampField) {
            timestamps.push(rest.join('='));
          } else if (name === signatureField) {
            // Without its equals sign, as stripe refuses it too.
            throw unsigned();
          }
        }
      }
      const timestamp = onlyTimestamp(timestamps, header, timestampField);
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
