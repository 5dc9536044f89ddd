import type { OperationId } from '../contract/types/index.ts';
import { InvalidResponseError } from '../errors/index.ts';

/** The error for a list that claims to go on and does not. */
export const noNewRows = (
  operation: OperationId,
  total: number | undefined,
  given: number,
): InvalidResponseError =>
  new InvalidResponseError(
    `${operation} stopped making progress: the API reports ${total ?? 'an unknown number of'} rows but returned ${given}. Does it ignore \`offset\`, or count wrongly?`,
    { operation, status: 200 },
  );
