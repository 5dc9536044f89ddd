import { checkResponse } from '../../call/check-response.ts';
import type { Issue, OperationId } from '../../contract/types.ts';
import { InvalidResponseError } from '../../errors/index.ts';
import type { Reporter } from '../../options/create-reporter.ts';
import type { ApiResponse } from '../api-response.ts';
import type { SuccessEnvelope } from './decode-envelope.ts';
import { bodyOf } from './describe-body.ts';

/**
 * Reports or throws issues of a response, as `validation` says.
 *
 * @throws {@link InvalidResponseError} When `validation` is `'strict'` and there are issues.
 */
export const handleIssues = (issues: readonly Issue[], response: ApiResponse, report: Reporter): void => {
  const { operation, status, validation } = response;
  if (issues.length === 0 || validation === 'off') {
    return;
  }
  if (validation === 'warn') {
    report.drift({ operation, issues });
    return;
  }
  throw new InvalidResponseError(`The response of ${operation} breaks the contract.`, {
    operation,
    status,
    issues,
    body: bodyOf(response),
  });
};

/**
 * Checks a response against the contract. It does not change the data: unknown fields are kept.
 *
 * @throws {@link InvalidResponseError} When `validation` is `'strict'` and the response breaks the contract.
 */
export const validateResponse = (
  envelope: SuccessEnvelope,
  response: ApiResponse,
  report: Reporter,
): void => {
  // Stryker disable next-line ConditionalExpression,StringLiteral: handleIssues() ignores the issues too, after they were looked for.
  if (response.validation !== 'off') {
    handleIssues(checkResponse(response.operation as OperationId, envelope), response, report);
  }
};
