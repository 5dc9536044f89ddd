import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { checkWord } from './check-names.ts';

/** The names of all operations. */
export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** @throws {@link MockError} `INVALID_ARGUMENT`, when no operation has this name. */
export const checkOperation = (operation: unknown, others: readonly string[] = []): void =>
  checkWord('operation', operation, [...OPERATION_IDS, ...others]);
