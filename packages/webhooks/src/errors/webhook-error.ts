/** What was wrong with a delivery, and the status that answers it. */
const STATUSES = {
  missing_signature: 401,
  malformed_signature: 401,
  ambiguous_signature: 401,
  signature_mismatch: 401,
  timestamp_out_of_tolerance: 401,
  body_too_large: 413,
  // The receiver's own fault, so the sender should come again once it is mended: docs/decisions/0201.
  body_not_raw: 500,
  invalid_encoding: 400,
  invalid_json: 400,
  invalid_event: 400,
  handler_failed: 500,
} as const;

/** The stable name of a {@link WebhookError}'s reason. */
export type WebhookErrorCode = keyof typeof STATUSES;

/**
 * A delivery that was refused, or that a handler failed on.
 *
 * Its message says what was expected and what to do next. It never holds a secret or a signature.
 *
 * @example
 * ```ts
 * try {
 *   await webhooks.verify(body, headers);
 * } catch (error) {
 *   if (error instanceof WebhookError) console.error(error.code, error.status);
 * }
 * ```
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  /** The reason, stable across versions. */
  readonly code: WebhookErrorCode;
  /** The HTTP status that answers this delivery: 400, 401, 413 or 500. */
  readonly status: 400 | 401 | 413 | 500;

  /** @internal */
  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUSES[code];
  }
}
