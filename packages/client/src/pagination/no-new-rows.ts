import type { OperationId } from '../contract/index.ts';
import { InvalidResponseError } from '../errors/index.ts';

/** The error for a list that claims to go on and does not. */
export const noNewRows = (
  operation: OperationId,
  total: number | undefined,
  given: number,
): InvalidResponseError =>
  new InvalidResponseError(
    `${operation} brings no new rows: it counts ${total ?? 'an unknown number'} and gave ${given}. Does the service ignore \`offset\`, or count wrongly?`,
    { operation, status: 200 },
  );
