import type { Operation, OperationId } from './contract/index.ts';
import { describeIssues, operations } from './contract/index.ts';
import { typeName } from './contract/issues.ts';
import type { SuccessEnvelope } from './decode.ts';
import { InvalidResponseError } from './errors/index.ts';
import type { Reporter } from './hooks.ts';
import type { ValidationMode } from './options.ts';

/**
 * Holds a response against the contract. Its data are used as they came, unknown fields included: a schema
 * only looks.
 *
 * @throws {@link InvalidResponseError} in the mode `strict`.
 */
export const validateResponse = (
  id: OperationId,
  status: number,
  envelope: SuccessEnvelope,
  mode: ValidationMode,
  report: Reporter,
): void => {
  if (mode === 'off') return;
  const { response }: Operation = operations[id];
  const result = response.safeParse(envelope);
  if (result.success) return;
  const issues = describeIssues(result.error, envelope, '', typeName);
  if (mode === 'strict') {
    throw new InvalidResponseError(`The response of ${id} breaks the contract.`, {
      operation: id,
      status,
      issues,
    });
  }
  report.drift({ operation: id, issues });
};
