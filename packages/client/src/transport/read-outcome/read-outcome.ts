import type { AttemptOutcome } from '../../retry/attempt-outcome.ts';
import type { ApiResponse } from '../api-response.ts';
import { labelOf } from '../label.ts';
import { toApiError } from './to-api-error.ts';
import type { OutcomeContext } from './to-error.ts';
import { redirectError, statusError, toError } from './to-error.ts';

/**
 * Turns the outcome of the last attempt into the response of its call.
 *
 * @throws {@link ConfabError} When the outcome is not a response with a status of 2xx.
 */
export const readOutcome = (outcome: AttemptOutcome, context: OutcomeContext): ApiResponse => {
  if (outcome.kind !== 'response') {
    throw toError(outcome, context);
  }
  const { status, headers, text, body, redirected, rateLimit } = outcome;
  const { event, redact, options } = context;
  const { operation, attempt: attempts } = event;
  const { validation } = options;
  const label = labelOf(event);
  const response: ApiResponse = {
    operation,
    label,
    attempts,
    status,
    headers,
    text,
    body,
    redact,
    validation,
  };
  if (redirected) {
    throw redirectError(response);
  }
  if (status >= 400) {
    throw toApiError(response, rateLimit, context);
  }
  if (status < 200 || status >= 300) {
    throw statusError(response);
  }
  return response;
};
