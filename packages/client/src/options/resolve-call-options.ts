import type { OperationName } from '../contract/types.ts';
import type { Redact } from '../errors/redaction.ts';
import { withoutKey } from '../errors/redaction.ts';
import { checkHeaders } from './check-headers.ts';
import { checkOptions } from './check-values.ts';
import type { CallOptions, ValidationMode } from './client-options.ts';
import { CALL_OPTIONS } from './option-checks.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { mergeRetryPolicy } from './retry-policy.ts';

/** The options of a client that its calls may override. */
export interface CallDefaults {
  readonly timeout: number | undefined;
  readonly deadline: number | false | undefined;
  readonly retry: RetryPolicy | false;
  readonly validation: ValidationMode;
  readonly headers: Readonly<Record<string, string>>;
  /** The header that carries the API key. */
  readonly keyHeader: string;
}

/** The options of a call with every default filled in. */
export interface ResolvedCallOptions {
  readonly timeout: number;
  /** Infinity for none. */
  readonly deadline: number;
  readonly retry: RetryPolicy | false;
  readonly validation: ValidationMode;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks the options of a call and fills in the defaults of its client and its operation.
 *
 * @throws {@link ConfigurationError} When an option is unknown or invalid.
 */
export const resolveCallOptions = (
  operation: { readonly id: OperationName; readonly timeout: number; readonly deadline: number },
  defaults: CallDefaults,
  options: CallOptions,
  redact: Redact,
): ResolvedCallOptions => {
  const headers = withoutKey(redact, () => {
    checkOptions(`option of ${operation.id}`, options, CALL_OPTIONS);
    return options.headers && checkHeaders(options.headers, defaults.keyHeader);
  });
  return {
    timeout: options.timeout ?? defaults.timeout ?? operation.timeout,
    // `false` means no deadline.
    deadline: (options.deadline ?? defaults.deadline ?? operation.deadline) || Number.POSITIVE_INFINITY,
    retry: mergeRetryPolicy(defaults.retry, options.retry),
    validation: options.validation ?? defaults.validation,
    headers: headers === undefined ? defaults.headers : { ...defaults.headers, ...headers },
    signal: options.signal,
  };
};
