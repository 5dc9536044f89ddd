import type { SignOptions } from './sign.ts';
import { sign } from './sign.ts';

/**
 * Builds the POST request that delivers an event, signed as the service does.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid.
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
  event: { event: string; data: unknown },
  options: SignOptions,
): Promise<Request> => {
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...(await sign(body, options)) };
  return new Request(url, { method: 'POST', headers, body });
};
