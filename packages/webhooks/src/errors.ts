import { docsUrlOf, oneLine } from '@confab/internal';

/** The reason of a {@link WebhookError}, stable across versions. */
export type WebhookErrorCode =
  | 'MISSING_SIGNATURE'
  | 'MALFORMED_SIGNATURE'
  | 'AMBIGUOUS_SIGNATURE'
  | 'SIGNATURE_MISMATCH'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'BODY_TOO_LARGE'
  | 'BODY_ABORTED'
  | 'BODY_NOT_RAW'
  | 'INVALID_ENCODING'
  | 'INVALID_JSON'
  | 'INVALID_EVENT'
  | 'HANDLER_FAILED'
  | 'RECEIVER_FAILED'
  | 'STILL_RUNNING';

/** The HTTP status of the response. Codes that are not listed concern the signature and have the status 401. */
const STATUSES: { readonly [Code in WebhookErrorCode]?: WebhookError['status'] } = {
  BODY_TOO_LARGE: 413,
  // The sender is gone and reads no response; 400 keeps the case out of alarms about 5xx: docs/decisions/0206.
  BODY_ABORTED: 400,
  // The receiver is at fault, so the sender should retry until the receiver is fixed: docs/decisions/0206.
  BODY_NOT_RAW: 500,
  INVALID_ENCODING: 400,
  INVALID_JSON: 400,
  INVALID_EVENT: 400,
  HANDLER_FAILED: 500,
  RECEIVER_FAILED: 500,
  // `process` throws this error. While a delivery runs, the receiver responds to redeliveries with the same status.
  STILL_RUNNING: 409,
};

/** The end of messages about deliveries that are lost unless they are retried. */
export const RETRY = 'The sender or the queue should retry.';

/** The end of messages about failures before the handlers. */
export const NOT_RUN = 'The handlers did not run. The sender or the queue should retry.';

/**
 * A delivery was refused, or handling it failed.
 *
 * The message says what was expected and what to do next, in one line of at most 1,000 characters. It never contains a
 * secret or a signature.
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
  /** The HTTP status of the response to this delivery: 400, 401, 409, 413 or 500. */
  readonly status: 400 | 401 | 409 | 413 | 500;

  /** @internal */
  constructor(code: WebhookErrorCode, message: string, options?: ErrorOptions) {
    // The sender chooses the names of events and fields, so they are shortened to fit a line of a log.
    super(oneLine(message.slice(0, 1000)), options);
    this.code = code;
    this.status = STATUSES[code] ?? 401;
  }

  /**
   * The address of the page that explains this `code`, or `undefined` in a build that was not released.
   */
  get docsUrl(): string | undefined {
    return docsUrlOf(this.code);
  }
}

/**
 * An option is invalid. It is thrown when a receiver is created or a body is signed, before any delivery is handled.
 *
 * @example
 * ```ts
 * createWebhooks({ secret: '', signature: { header: 'x-webhook-signature' } });
 * // WebhookConfigurationError: `secret` is empty. Is its environment variable set?
 * ```
 */
export class WebhookConfigurationError extends TypeError {
  /** The name of the class. */
  override readonly name = 'WebhookConfigurationError';
  /** Stable across versions. */
  readonly code = 'INVALID_CONFIGURATION';

  /**
   * The address of the page that explains this `code`, or `undefined` in a build that was not released.
   */
  get docsUrl(): string | undefined {
    return docsUrlOf(this.code);
  }
}

/** Wraps the failure of a part of the receiver or of the user's code. Returns a `WebhookError` unchanged. */
export const toWebhookError = (part: string, cause: unknown): WebhookError =>
  cause instanceof WebhookError
    ? cause
    : new WebhookError('RECEIVER_FAILED', `${part} failed; see the cause. ${RETRY}`, { cause });

/**
 * Runs a user's function that is not a handler.
 *
 * @param part The name of the function, for the message.
 * @throws A {@link WebhookError} when it throws or rejects, with `code: 'RECEIVER_FAILED'`.
 */
export const runUserCode = async <Result>(
  part: string,
  run: () => Result | Promise<Result>,
): Promise<Awaited<Result>> => {
  try {
    return await run();
  } catch (cause) {
    throw toWebhookError(part, cause);
  }
};
