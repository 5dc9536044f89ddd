/**
 * An invalid option, thrown when the receiver is built or a body is to be signed, before any delivery is seen.
 *
 * @example
 * ```ts
 * createWebhooks({ secret: '', signature: { header: 'x-webhook-signature' } });
 * // WebhookConfigurationError: secret is empty, so anyone could sign. …
 * ```
 */
export class WebhookConfigurationError extends TypeError {
  override readonly name = 'WebhookConfigurationError';
  /** Stable across versions. */
  readonly code = 'CONFIGURATION';
}
