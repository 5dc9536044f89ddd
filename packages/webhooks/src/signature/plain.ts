import { WebhookConfigurationError, WebhookError } from '../errors.ts';
import { ambiguousHeader, singleHeader } from '../headers.ts';
import { checkNames, headerName, positiveNumber, textOf } from '../option-checks.ts';
import { decodeSignature, encodeSignature, SIGNATURE_ENCODINGS } from './encoding.ts';
import type {
  Signature,
  SignatureOptions,
  SignatureReader,
  SignatureWriter,
  TimestampOptions,
} from './scheme.ts';
import { isScheme, readTimestamp } from './scheme.ts';
import { secretBytes } from './secret.ts';

/** Validates the options of a timestamp, and applies the defaults. */
const stampOf = (options: TimestampOptions, signatureHeader: string) => {
  checkNames('field of signature.timestamp', options, ['header', 'toleranceSeconds', 'separator']);
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

/** Validates the options of a signature, and applies the defaults. */
const formatOf = (options: SignatureOptions) => {
  if (typeof options !== 'object') {
    throw new WebhookConfigurationError(
      `signature must be { header: "x-sig" } or standardWebhooks(), got ${typeof options}.`,
    );
  }
  checkNames('field of signature', options, ['header', 'encoding', 'prefix', 'timestamp']);
  const { encoding = 'auto', prefix = '', timestamp } = options;
  const header = headerName(options.header, 'signature.header');
  if (encoding !== 'auto' && !SIGNATURE_ENCODINGS.includes(encoding)) {
    throw new WebhookConfigurationError(
      `signature.encoding must be one of auto, ${SIGNATURE_ENCODINGS.join(', ')}; got ${JSON.stringify(encoding)}.`,
    );
  }
  return {
    header,
    encoding,
    prefix: textOf(prefix, 'signature.prefix'),
    stamp: timestamp === undefined ? undefined : stampOf(timestamp, header),
  };
};

const readSignature = (headers: unknown, { header, encoding, prefix }: ReturnType<typeof formatOf>) => {
  const value = singleHeader(headers, header);
  const hasPrefix = value.startsWith(prefix);
  const text = hasPrefix ? value.slice(prefix.length) : value;
  const signature = hasPrefix ? decodeSignature(text, encoding) : undefined;
  if (signature !== undefined) {
    return signature;
  }
  // No encoding uses commas. `Headers` and node:http join repeated values with one.
  if (text.includes(',')) {
    throw ambiguousHeader(header);
  }
  const start = prefix && `${JSON.stringify(prefix)} and `;
  const encodings = encoding === 'auto' ? 'lowercase hex, base64 or base64url' : encoding;
  const end = hasPrefix ? '' : ' without that prefix';
  throw new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${header}" header must be ${start}32 bytes in ${encodings}, got ${value.length} characters${end}.`,
  );
};

/**
 * Returns the reader of a signature option.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const readerOf = (signature: Signature): SignatureReader => {
  if (isScheme(signature)) {
    return signature;
  }
  const format = formatOf(signature);
  const { stamp } = format;
  return {
    signsId: false,
    toleranceSeconds: stamp?.toleranceSeconds ?? 0,
    key: secretBytes,
    read: (headers) => {
      const signatures = [readSignature(headers, format)];
      if (stamp === undefined) {
        return { signatures, preamble: '' };
      }
      const timestamp = readTimestamp(headers, stamp.header);
      return { signatures, timestamp, preamble: timestamp + stamp.separator };
    },
  };
};

/**
 * Returns the writer of a signature option.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
 */
export const writerOf = (signature: Signature): SignatureWriter => {
  if (isScheme(signature)) {
    return signature;
  }
  const { header, encoding, prefix, stamp } = formatOf(signature);
  return {
    key: secretBytes,
    write: async ({ timestamp }, digest) => {
      const bytes = await digest(stamp ? timestamp + stamp.separator : '');
      const text = encodeSignature(bytes, encoding === 'auto' ? 'hex' : encoding);
      return { ...(stamp && { [stamp.header]: String(timestamp) }), [header]: prefix + text };
    },
  };
};
