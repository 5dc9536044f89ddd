import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { invalidArgument } from '../errors/invalid-argument.ts';
import { checkWord } from './check-names.ts';

/** The names of all operations. */
export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** Methods of the client that look like operations, but call others. */
const COMPOSED = ['leads.ensure', 'leads.ensureMany'];

/** @throws {@link MockError} `INVALID_ARGUMENT`, when no operation has this name. */
export const checkOperation = (operation: unknown, others: readonly string[] = []): void => {
  if (COMPOSED.some((method) => method === operation)) {
    throw invalidArgument(
      `Unknown operation ${JSON.stringify(operation)}: this method of the client calls leads.create, and leads.list after a 409. Did you mean "leads.create"?`,
    );
  }
  checkWord('operation', operation, [...OPERATION_IDS, ...others]);
};
