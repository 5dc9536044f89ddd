import { anyValue, isBoolean, oneOf } from '@confab/internal';
import { WebhookConfigurationError, WebhookError } from '../errors.ts';
import { ambiguousHeaderError, readSingleHeader } from '../headers.ts';
import {
  checkOptions,
  DEFAULT_TOLERANCE,
  isHeaderName,
  isSeconds,
  isText,
  isUnit,
} from '../option-checks.ts';
import { decodeSignature, describeEncoding, encodeSignature, SIGNATURE_ENCODINGS } from './encoding.ts';
import type { Signature, SignatureOptions, SignatureReader, SignatureWriter } from './scheme.ts';
import { formatLength, isScheme, readTimestamp } from './scheme.ts';
import { toSecretBytes } from './secret.ts';

/** Validates the options of a signature, and applies the defaults. */
const resolveFormat = (options: SignatureOptions) => {
  checkOptions(
    'signature field',
    options,
    {
      header: isHeaderName,
      encoding: oneOf('auto', ...SIGNATURE_ENCODINGS),
      prefix: isText,
      timestamp: anyValue,
      decompress: isBoolean,
    },
    ['header'],
    'signature.',
  );
  const { encoding = 'auto', prefix = '', timestamp } = options;
  if (timestamp !== undefined) {
    checkOptions(
      'signature.timestamp field',
      timestamp,
      {
        header: isHeaderName,
        unit: isUnit,
        toleranceSeconds: isSeconds,
        separator: isText,
      },
      ['header'],
      'signature.timestamp.',
    );
  }
  const header = options.header.toLowerCase();
  const timestampHeader = timestamp?.header.toLowerCase();
  if (timestampHeader === header) {
    throw new WebhookConfigurationError('`signature.timestamp.header` must differ from `signature.header`.');
  }
  return { header, encoding, prefix, timestamp, timestampHeader, separator: timestamp?.separator ?? '.' };
};

const readSignature = (headers: unknown, { header, encoding, prefix }: ReturnType<typeof resolveFormat>) => {
  const value = readSingleHeader(headers, header);
  const hasPrefix = value.startsWith(prefix);
  const text = hasPrefix ? value.slice(prefix.length) : value;
  const signature = hasPrefix ? decodeSignature(text, encoding) : undefined;
  if (signature !== undefined) {
    return signature;
  }
  // No encoding uses commas. `Headers` and node:http join the values of repeated headers with a comma.
  if (text.includes(',')) {
    throw ambiguousHeaderError(header);
  }
  const expectedPrefix = prefix && `${JSON.stringify(prefix)} and `;
  const encodings = encoding === 'auto' ? 'lowercase hex, base64 or base64url' : describeEncoding(encoding);
  const missingPrefix = hasPrefix ? '' : ' without that prefix';
  const [unexpected] = (prefix === '' && /^\w{1,16}=(?=\w)/.exec(value)) || [];
  const hint = unexpected ? ` If genuine ones start with "${unexpected}", set \`prefix\` to it.` : '';
  throw new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${header}" header must be ${expectedPrefix}32 bytes in ${encodings}, got ${formatLength(value)}${missingPrefix}.${hint}`,
  );
};

/**
 * Returns the reader of a `signature` option. That is the scheme itself, or a reader of one header that signs the body,
 * with or without a timestamp before it.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid.
 */
export const createSignatureReader = (signature: Signature): SignatureReader => {
  if (isScheme(signature)) {
    return signature;
  }
  const format = resolveFormat(signature);
  const { timestamp, timestampHeader, separator } = format;
  return {
    signsId: false,
    // Without a timestamp, `dedupe` need not remember a key for any minimum time.
    toleranceSeconds: timestamp ? (timestamp.toleranceSeconds ?? DEFAULT_TOLERANCE) : 0,
    unit: timestamp?.unit ?? 'seconds',
    decompress: signature.decompress,
    key: toSecretBytes,
    read: (headers) => {
      const signatures = [readSignature(headers, format)];
      if (timestampHeader === undefined) {
        return { signatures, preamble: '' };
      }
      const time = readTimestamp(headers, timestampHeader);
      return { signatures, timestamp: time, preamble: time + separator };
    },
  };
};

/**
 * Returns the writer of a `signature` option. It is separate from the reader, so a bundle with `sign` alone contains no
 * reader.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid.
 */
export const createSignatureWriter = (signature: Signature): SignatureWriter => {
  if (isScheme(signature)) {
    return signature;
  }
  const { header, encoding, prefix, timestamp, timestampHeader, separator } = resolveFormat(signature);
  return {
    key: toSecretBytes,
    unit: timestamp?.unit,
    write: async ({ timestamp: time }, digest) => {
      const bytes = await digest(timestampHeader ? time + separator : '');
      const text = encodeSignature(bytes, encoding === 'auto' ? 'hex' : encoding);
      return { ...(timestampHeader && { [timestampHeader]: String(time) }), [header]: prefix + text };
    },
  };
};
