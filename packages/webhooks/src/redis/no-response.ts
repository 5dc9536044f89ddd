import { NOT_RUN } from '../dedupe/store-key.ts';
import { WebhookError } from '../errors/webhook-error.ts';

/** Several addresses make one error without a message, such as those of `localhost`: its first part has one. */
const reasonOf = (error: unknown): string => {
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  return first === undefined ? '' : `: ${first instanceof Error ? first.message : String(first)}`;
};

/**
 * Builds the error for a claim without a reply in time.
 *
 * @param cause The last error of the connection, if it has failed.
 */
export const noResponse = (milliseconds: number, cause: unknown): WebhookError =>
  new WebhookError(
    'HANDLER_FAILED',
    `Redis did not respond within ${milliseconds / 1000} s${reasonOf(cause)}. ${NOT_RUN}`,
    { cause },
  );
