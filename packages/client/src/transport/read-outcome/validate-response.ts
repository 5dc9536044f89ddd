import { typeName } from '@confab/internal';
import type { Operation } from '../../contract/index.ts';
import { describeIssues, operations } from '../../contract/index.ts';
import type { Issue, OperationId } from '../../contract/types/index.ts';
import { InvalidResponseError } from '../../errors/index.ts';
import type { Reporter } from '../../options/hooks.ts';
import type { ValidationMode } from '../../options/options.ts';
import type { SuccessEnvelope } from './decode-envelope.ts';

/** Where a response came from, and what is to be done when it breaks the contract. */
export interface Validation {
  readonly operation: OperationId;
  readonly status: number;
  readonly mode: ValidationMode;
  readonly report: Reporter;
}

/**
 * Does what the mode says about places where a response breaks the contract.
 *
 * @throws {@link InvalidResponseError} in the mode `strict`.
 */
export const objectTo = (issues: readonly Issue[], { operation, status, mode, report }: Validation): void => {
  if (issues.length === 0 || mode === 'off') {
    return;
  }
  if (mode === 'warn') {
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
 * Rows checked at once, and places reported: ten megabytes of wrong rows are wrong in millions of places, and a schema
 * collects them all, on the stack.
 */
const MOST = 100;

/** Far more than the API sends inside one resource. */
const isTooLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 10 * MOST;

/** A resource with its lists cut, should one be too long. */
const withShortLists = (data: unknown): unknown =>
  typeof data === 'object' && data && Object.values(data).some(isTooLong)
    ? Object.fromEntries(
        Object.entries(data).map(([name, value]) => [name, isTooLong(value) ? value.slice(0, MOST) : value]),
      )
    : data;

/**
 * Holds a response against the contract. Its data are used as they came, unknown fields included: a schema
 * only looks.
 *
 * @throws {@link InvalidResponseError} in the mode `strict`.
 */
export const validateResponse = (envelope: SuccessEnvelope, validation: Validation): void => {
  if (validation.mode === 'off') {
    return;
  }
  const { response }: Operation = operations[validation.operation];
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
  objectTo(issues, validation);
};
