import { typeName } from '@confab/internal';
import { checkShape } from '../../contract/check-shape.ts';
import { shapes } from '../../contract/shapes.ts';
import type { Issue, OperationId } from '../../contract/types/index.ts';
import { InvalidResponseError } from '../../errors/index.ts';
import type { Reporter } from '../../options/create-reporter.ts';
import type { ApiResponse } from '../api-response.ts';
import type { SuccessEnvelope } from './decode-envelope.ts';
import { bodyOf } from './describe-body.ts';

/** Maximum number of issues to report: ten megabytes of wrong rows contain millions. */
const MOST = 100;

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
  if (response.validation !== 'off') {
    const { response: shape } = shapes[response.operation as OperationId];
    handleIssues(checkShape(envelope, shape, { show: typeName, most: MOST }), response, report);
  }
};
