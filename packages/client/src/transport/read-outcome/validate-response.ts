import { typeName } from '@confab/internal';
import type { Operation } from '../../contract/index.ts';
import { describeIssues, operations } from '../../contract/index.ts';
import type { Issue, OperationId } from '../../contract/types/index.ts';
import { InvalidResponseError } from '../../errors/index.ts';
import type { Reporter } from '../../options/create-reporter.ts';
import type { ApiResponse } from '../api-response.ts';
import type { SuccessEnvelope } from './decode-envelope.ts';

/**
 * Rows to check at once, and issues to report: ten megabytes of wrong rows contain millions of issues, and a schema
 * collects all of them on the stack.
 */
const MOST = 100;

/** True for a list that is far longer than any that the API sends inside one resource. */
const isTooLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 10 * MOST;

/** Shortens the lists of a resource if one of them is too long. */
const withShortLists = (data: unknown): unknown =>
  typeof data === 'object' && data && Object.values(data).some(isTooLong)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, isTooLong(value) ? value.slice(0, MOST) : value]),
      )
    : data;

/** Finds where a response breaks the contract, at most 100 places. */
const findIssues = (envelope: SuccessEnvelope, { response }: Operation): Issue[] => {
  const { data } = envelope;
  const rows = Array.isArray(data) ? data.length : 1;
  const issues: Issue[] = [];
  for (let start = 0; start === 0 || (start < rows && issues.length < MOST); start += MOST) {
    const part = Array.isArray(data) ? data.slice(start, start + MOST) : withShortLists(data);
    const { error } = response.safeParse({ ...envelope, data: part });
    if (error !== undefined) {
      const found = error.issues.slice(0, MOST - issues.length).map((issue) => ({
        ...issue,
        path: issue.path.map((key) => (typeof key === 'number' ? key + start : key)),
      }));
      issues.push(...describeIssues({ issues: found }, envelope, '', typeName));
    }
  }
  return issues;
};

/**
 * Reports or throws issues of a response, as `validation` says.
 *
 * @throws {@link InvalidResponseError} When `validation` is `'strict'` and there are issues.
 */
export const handleIssues = (
  issues: readonly Issue[],
  { operation, status, validation }: ApiResponse,
  report: Reporter,
): void => {
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
    handleIssues(findIssues(envelope, operations[response.operation as OperationId]), response, report);
  }
};
