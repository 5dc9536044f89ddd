import { docsUrlOf } from '@confab/internal';

/**
 * An option is invalid. It is thrown when a receiver is created or a body is signed, before any delivery is handled.
 *
 * @example
 * ```ts
 * createWebhooks({ secret: '', signature: { header: 'x-webhook-signature' } });
 * // WebhookConfigurationError: secret is empty. Is its environment variable set?
 * ```
 */
export class WebhookConfigurationError extends TypeError {
  /** The name of the class. */
  override readonly name = 'WebhookConfigurationError';
  /** Stable across versions. */
  readonly code = 'CONFIGURATION';

  /**
   * The address of the page that explains this `code`, or `undefined` in a build that was not released.
   */
  get docsUrl(): string | undefined {
    return docsUrlOf(this.code);
  }
}
