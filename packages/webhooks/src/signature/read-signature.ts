import { WebhookError } from '../errors/webhook-error.ts';
import { headerValues } from './headers.ts';
import { decodeSignature } from './signature-encoding.ts';
import type { PlainScheme } from './signature-options.ts';

const ambiguous = (name: string) =>
  new WebhookError(
    'AMBIGUOUS_SIGNATURE',
    `The delivery has several "${name}" headers. Check the proxies before this receiver.`,
  );

/**
 * Returns the value of a header that must occur exactly once.
 *
 * @throws {@link WebhookError} When it is missing or repeated, with `code: 'MISSING_SIGNATURE'` or
 * `'AMBIGUOUS_SIGNATURE'`.
 */
export const singleHeader = (headers: unknown, name: string): string => {
  const values = headerValues(headers, name);
  const [value] = values;
  if (values.length > 1) {
    throw ambiguous(name);
  }
  if (value === undefined || value === '') {
    throw new WebhookError(
      'MISSING_SIGNATURE',
      `The delivery has no "${name}" header. detectSignature() finds the right one in a captured delivery.`,
    );
  }
  return value;
};

/**
 * Reads the 32 bytes of a delivery's signature.
 *
 * @throws {@link WebhookError} When there is no such signature, with `code: 'MISSING_SIGNATURE'`,
 * `'MALFORMED_SIGNATURE'` or `'AMBIGUOUS_SIGNATURE'`.
 */
export const readSignature = (headers: unknown, scheme: PlainScheme): Uint8Array => {
  const value = singleHeader(headers, scheme.header);
  const prefixed = value.startsWith(scheme.prefix);
  const text = prefixed ? value.slice(scheme.prefix.length) : value;
  const signature = prefixed ? decodeSignature(text, scheme.encoding) : undefined;
  if (signature !== undefined) {
    return signature;
  }
  // No encoding uses commas. `Headers` and node:http join repeated values with one.
  if (text.includes(',')) {
    throw ambiguous(scheme.header);
  }
  const expected = scheme.encoding === 'auto' ? 'lowercase hex, base64 or base64url' : scheme.encoding;
  throw new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${scheme.header}" header must be ${scheme.prefix && `${JSON.stringify(scheme.prefix)} and `}32 bytes in ${expected}, got ${value.length} characters${
      prefixed ? '' : ' without that prefix'
    }.`,
  );
};
