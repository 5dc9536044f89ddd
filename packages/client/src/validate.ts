import type { Issue, Operation, OperationId } from './contract/index.ts';
import { describeIssues, operations } from './contract/index.ts';
import { typeName } from './contract/issues.ts';
import type { SuccessEnvelope } from './decode.ts';
import { InvalidResponseError } from './errors/index.ts';
import type { Reporter } from './hooks.ts';
import type { ValidationMode } from './options.ts';

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
  if (issues.length === 0 || mode === 'off') return;
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
 * Holds a response against the contract. Its data are used as they came, unknown fields included: a schema
 * only looks.
 *
 * @throws {@link InvalidResponseError} in the mode `strict`.
 */
export const validateResponse = (envelope: SuccessEnvelope, validation: Validation): void => {
  if (validation.mode === 'off') return;
  const { response }: Operation = operations[validation.operation];
  const result = response.safeParse(envelope);
  if (!result.success) objectTo(describeIssues(result.error, envelope, '', typeName), validation);
};
