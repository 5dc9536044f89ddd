/** Every reason for refusing a delivery, and the HTTP status of the response. */
const STATUSES = {
  MISSING_SIGNATURE: 401,
  MALFORMED_SIGNATURE: 401,
  AMBIGUOUS_SIGNATURE: 401,
  SIGNATURE_MISMATCH: 401,
  TIMESTAMP_OUT_OF_TOLERANCE: 401,
  BODY_TOO_LARGE: 413,
  // The sender is gone and reads no response; 400 keeps the case out of alarms about 5xx: docs/decisions/0206.
  BODY_ABORTED: 400,
  // The receiver is at fault, so the sender should retry until it is fixed: docs/decisions/0201.
  BODY_NOT_RAW: 500,
  INVALID_ENCODING: 400,
  INVALID_JSON: 400,
  INVALID_EVENT: 400,
  HANDLER_FAILED: 500,
} as const;

/** The reason of a {@link WebhookError}, stable across versions. */
export type WebhookErrorCode = keyof typeof STATUSES;

/**
 * A delivery was refused, or a handler failed.
 *
 * The message says what was expected and what to do next. It never contains a secret or a signature.
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
  /** The name of the class. */
  override readonly name = 'WebhookError';
  /** The reason, stable across versions. */
  readonly code: WebhookErrorCode;
  /** The HTTP status of the response to this delivery: 400, 401, 413 or 500. */
  readonly status: 400 | 401 | 413 | 500;

  /** @internal */
  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.status = STATUSES[code];
  }
}
