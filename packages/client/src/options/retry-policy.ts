import type { RetryOptions } from './client-options.ts';

/** Retry options with every default filled in. */
export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: Exclude<RetryOptions[Name], undefined> };

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  limit: 3,
  maxRetryAfter: 60_000,
  baseDelay: 500,
  maxDelay: 8_000,
  nonIdempotent: false,
};

/** Applies retry options on top of a policy. */
export const mergeRetryPolicy = (
  policy: RetryPolicy | false,
  options: RetryOptions | false | undefined,
): RetryPolicy | false => {
  if (options === undefined || options === false) {
    return options ?? policy;
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...(policy || DEFAULT_RETRY_POLICY), ...Object.fromEntries(given) };
};
