import { WebhookError } from '../errors/webhook-error.ts';
import { headerValues } from './headers.ts';
import { decodeSignature } from './signature-encoding.ts';
import type { SignatureScheme } from './signature-options.ts';

const EXPECTED = {
  auto: '64 lower-case hex digits, or base64 or base64url of 32 bytes',
  hex: '64 lower-case hex digits',
  base64: '44 characters of base64, padding included',
  base64url: '43 characters of base64url',
};

const ambiguous = (name: string) =>
  new WebhookError(
    'AMBIGUOUS_SIGNATURE',
    `The delivery has several "${name}" headers, and only one of them can be meant. Check what stands between the sender and this receiver.`,
  );

/** The one value of a header. */
export const singleHeader = (headers: unknown, name: string): string => {
  const values = headerValues(headers, name);
  const [value] = values;
  if (values.length > 1) {
    throw ambiguous(name);
  }
  if (value === undefined || value === '') {
    throw new WebhookError(
      'MISSING_SIGNATURE',
      `The delivery has no "${name}" header. Is this the header that the sender uses? detectSignature() finds it in a captured delivery.`,
    );
  }
  return value;
};

/**
 * The 32 bytes that a delivery carries as its signature.
 *
 * @throws WebhookError `MISSING_SIGNATURE`, `MALFORMED_SIGNATURE` or `AMBIGUOUS_SIGNATURE`.
 */
export const readSignature = (headers: unknown, scheme: SignatureScheme): Uint8Array => {
  const value = singleHeader(headers, scheme.header);
  const prefixed = value.startsWith(scheme.prefix);
  const text = prefixed ? value.slice(scheme.prefix.length) : value;
  const signature = prefixed ? decodeSignature(text, scheme.encoding) : undefined;
  if (signature !== undefined) {
    return signature;
  }
  // No encoding has a comma: it is how `Headers` and node:http join two values.
  if (text.includes(',')) {
    throw ambiguous(scheme.header);
  }
  throw new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${scheme.header}" header must be ${scheme.prefix && `${JSON.stringify(scheme.prefix)} and `}${EXPECTED[scheme.encoding]}. It has ${value.length} characters${
      prefixed ? '' : ', and does not start with that prefix'
    }. Compare signature.encoding and signature.prefix with what the sender writes.`,
  );
};
