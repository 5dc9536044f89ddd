import type { CallInput } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import {
  AuthenticationError,
  ConfigurationError,
  ImportStoppedError,
  PermissionError,
} from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { CallDefaults } from '../options/resolve-options.ts';
import { isForFramework } from '../secrecy/framework-error.ts';

/** A day, in milliseconds. Bulk work waits for a rate limit much longer than a single call does. */
const MAX_WAIT = 86_400_000;

/**
 * Marks each call of an import, or of a pass over messages, as bulk work. The call retries for the client's total
 * timeout after 429s without a `Retry-After`, which browsers hide.
 */
export const bulkInput = ({
  totalTimeout,
  retry,
}: CallDefaults): Pick<CallInput, 'isBulk' | 'freeRetriesMs'> => {
  // The retries that count toward `limit` follow, so their waits are subtracted.
  const otherWaits = retry ? (retry.limit + 1) * retry.maxDelay : 0;
  const limit = totalTimeout || operations['leads.create'].totalTimeout;
  return { isBulk: true, freeRetriesMs: limit - otherWaits };
};

/** The options of each call of an import, or of a pass over messages. */
export const bulkOptions = ({ retry }: CallDefaults, signal: AbortSignal): CallOptions => ({
  signal,
  totalTimeout: MAX_WAIT,
  retry: retry && { maxRetryAfter: MAX_WAIT },
});

/** After these errors, every other row or conversation would fail in the same way. */
const ERRORS_OF_ALL = [AuthenticationError, PermissionError, ConfigurationError, ImportStoppedError];

export const endsBulkWork = (error: unknown): boolean =>
  isForFramework(error) || ERRORS_OF_ALL.some((each) => error instanceof each);
