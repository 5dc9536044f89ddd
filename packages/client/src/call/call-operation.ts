import { operations } from '../contract/operations.ts';
import type { OperationId, OperationResponses } from '../contract/types.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { Reporter } from '../options/create-reporter.ts';
import { ApiPromise } from './api-promise.ts';
import type { Caller } from './call.ts';
import type { CallInput } from './check-input.ts';
import { readData } from './response.ts';

/** The data of an operation's successful response. */
export type DataOf<Id extends OperationId> = OperationResponses[Id]['data'];

/** Calls an operation and resolves with its data. */
export type CallOperationById = <Id extends OperationId>(
  id: Id,
  input: CallInput,
  options?: CallOptions,
) => ApiPromise<DataOf<Id>>;

/** Creates the function that every method of a resource calls, apart from lists. */
export const createCallOperation =
  ({ call }: Caller, report: Reporter): CallOperationById =>
  <Id extends OperationId>(id: Id, input: CallInput, options?: CallOptions) =>
    new ApiPromise(
      call(operations[id], input, options, (response): DataOf<Id> => readData<Id>(response, report).data),
    );
