import { anyValue, integerFrom, typeName } from '@confab/internal';
import type { RawBody } from '../body.ts';
import { isWellFormed, toBytes } from '../body.ts';
import { WebhookConfigurationError } from '../errors.ts';
import { checkOptions, isText } from '../option-checks.ts';
import { createHmac } from './hmac.ts';
import { createSignatureWriter } from './plain.ts';
import type { Signature } from './scheme.ts';
import type { Secret } from './secret.ts';

/** Options of {@link sign}. */
export interface SignOptions {
  /** The receiver's secret. */
  secret: Secret;
  /** The scheme, or the header of the signature and its format. Use the same value as the receiver. */
  signature: Signature;
  /**
   * The Unix time of the signature in seconds, even if the timestamp of the scheme is in milliseconds.
   * @default the current time
   */
  timestamp?: number | undefined;
  /**
   * The id of the delivery, for a scheme that signs one. All attempts to deliver the same event have the same id.
   * @default a random id
   */
  id?: string | undefined;
}

/**
 * Signs a body as the service does, for tests, mocks and replays.
 *
 * @returns The headers to send with exactly these bytes. Their names are lowercase.
 * @throws A {@link WebhookConfigurationError} when an option is invalid or the body is not raw.
 *
 * @example
 * ```ts
 * const body = JSON.stringify({ event: 'message.created', data });
 * const headers = await sign(body, { secret, signature: { header: 'x-webhook-signature' } });
 * await fetch(url, { method: 'POST', body, headers });
 * ```
 */
export const sign = async (body: RawBody, options: SignOptions): Promise<Record<string, string>> => {
  checkOptions(
    'signing option',
    options,
    { secret: anyValue, signature: anyValue, timestamp: integerFrom(0), id: isText },
    ['secret', 'signature'],
  );
  const { secret, signature, timestamp = Date.now() / 1000, id } = options;
  const scheme = createSignatureWriter(signature);
  const hmac = createHmac(scheme.key(secret));
  const bytes = toBytes(body);
  if (bytes === undefined || (typeof body === 'string' && !isWellFormed(body))) {
    throw new WebhookConfigurationError('The body must be bytes or a well-formed string, such as JSON.');
  }
  const time = Math.floor(scheme.unit === 'milliseconds' ? timestamp * 1000 : timestamp);
  return scheme.write({ timestamp: time, id }, async (preamble) => hmac(preamble, bytes));
};

/** The payload of an event. The name is in `event`, or in `type` as in Standard Webhooks. */
export type SentPayload = {
  /** The data of the event. */
  data: unknown;
} & (
  | {
      /** The name of the event. */
      event: string;
    }
  | {
      /** The name of the event. */
      type: string;
      /** When the event happened, as an ISO 8601 date-time. */
      timestamp?: string | undefined;
    }
);

/**
 * Builds the POST request that delivers an event, signed as the service does.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid, or the first argument is not a URL.
 *
 * @example
 * ```ts
 * const request = await signedRequest(
 *   'https://example.com/webhooks',
 *   { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body: 'Hello' } },
 *   { secret, signature: { header: 'x-webhook-signature' } },
 * );
 * const response = await webhooks.fetch(request);
 * ```
 */
export const signedRequest = async (
  url: string | URL,
  event: SentPayload,
  options: SignOptions,
): Promise<Request> => {
  if (typeof url !== 'string' && !('href' in Object(url))) {
    throw new WebhookConfigurationError(
      `Call signedRequest(url, event, options) with the URL of the receiver first, got ${typeName(url)}.`,
    );
  }
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...(await sign(body, options)) };
  return new Request(url, { method: 'POST', headers, body });
};
