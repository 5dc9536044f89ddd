import type { CallInput } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import { isForFramework } from '../errors/framework-error.ts';
import {
  AuthenticationError,
  ConfigurationError,
  ImportStoppedError,
  PermissionError,
} from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { CallDefaults } from '../options/resolve-options.ts';

/** Milliseconds: bulk work waits for a rate limit that a single call would not wait for. */
const MAX_WAIT = 86_400_000;

/**
 * The rank of each call of an import, or of a pass over messages, and how long it puts up with a
 * service that refuses it without saying when to return, because browsers hide `Retry-After`: the client's total timeout.
 */
export const bulkInput = ({
  totalTimeout,
  retry,
}: CallDefaults): Pick<CallInput, 'isBulk' | 'freeRetriesMs'> => {
  // The repeats that count towards `limit` follow, and take time, too.
  const others = retry ? (retry.limit + 1) * retry.maxDelay : 0;
  return { isBulk: true, freeRetriesMs: (totalTimeout || operations['leads.create'].totalTimeout) - others };
};

/** The options of each call of an import, or of a pass over messages. */
export const bulkOptions = ({ retry }: CallDefaults, signal: AbortSignal): CallOptions => ({
  signal,
  totalTimeout: MAX_WAIT,
  retry: retry && { maxRetryAfter: MAX_WAIT },
});

/** The errors after which every later row, or conversation, would fail in the same way. */
const ERRORS_OF_ALL = [AuthenticationError, PermissionError, ConfigurationError, ImportStoppedError];

export const endsBulkWork = (error: unknown): boolean =>
  isForFramework(error) || ERRORS_OF_ALL.some((each) => error instanceof each);
