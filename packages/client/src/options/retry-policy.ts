import { ConfigurationError } from '../errors/index.ts';
import { checkNames } from './check-names.ts';
import { atLeast, oneOf, show } from './check-values.ts';
import type { RetryOptions } from './client-options.ts';
import { RETRY_FIELDS } from './option-names.ts';

/** Retry options with every default filled in. */
export type RetryPolicy = { readonly [Name in keyof RetryOptions]-?: Exclude<RetryOptions[Name], undefined> };

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  limit: 3,
  maxRetryAfter: 60_000,
  baseDelay: 500,
  maxDelay: 8_000,
  nonIdempotent: false,
};

/**
 * Applies retry options on top of a policy.
 *
 * @throws {@link ConfigurationError} When an option is unknown or invalid.
 */
export const mergeRetryPolicy = (
  policy: RetryPolicy | false,
  options: RetryOptions | false | undefined,
): RetryPolicy | false => {
  if (options === undefined) {
    return policy;
  }
  if (options === false) {
    return false;
  }
  if (typeof options !== 'object' || options === null) {
    throw new ConfigurationError(`\`retry\` must be an object or false, not ${show(options)}.`);
  }
  checkNames('field of retry', options, RETRY_FIELDS);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (name === 'nonIdempotent') {
      oneOf([true, false], 'retry.nonIdempotent', value);
    } else {
      atLeast(0, `retry.${name}`, value, name === 'limit');
    }
  }
  return { ...(policy || DEFAULT_RETRY_POLICY), ...Object.fromEntries(given) };
};
