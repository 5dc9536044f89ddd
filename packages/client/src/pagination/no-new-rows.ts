import type { OperationId } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';

/** Creates the error for a service that reports more rows but does not return them. */
export const noNewRows = (
  operation: OperationId,
  total: number | undefined,
  given: number,
): InvalidResponseError =>
  new InvalidResponseError(
    `${operation} stopped making progress: the API reports ${total ?? 'an unknown number of'} rows but returned ${given}. Does it ignore \`offset\` or miscount?`,
    { operation, status: 200 },
  );
