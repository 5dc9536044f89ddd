import type { OperationSettings } from '../contract/types/index.ts';
import { checkHeaders } from './check-headers.ts';
import { checkNames } from './check-names.ts';
import { atLeast, oneOf } from './check-values.ts';
import type { CallOptions, ValidationMode } from './client-options.ts';
import { CALL_OPTIONS } from './option-names.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { mergeRetryPolicy } from './retry-policy.ts';

/** The options of a client that its calls may override, checked except for `timeout`, `deadline` and `validation`. */
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

const VALIDATION_MODES: readonly ValidationMode[] = ['warn', 'strict', 'off'];

/**
 * Checks the options of a call and fills in the defaults of its client and its operation.
 *
 * @throws {@link ConfigurationError} When an option is unknown or invalid.
 */
export const resolveCallOptions = (
  operation: OperationSettings,
  defaults: CallDefaults,
  options: CallOptions,
): ResolvedCallOptions => {
  checkNames(`option of ${operation.id}`, options, CALL_OPTIONS);
  const timeout = options.timeout ?? defaults.timeout ?? operation.timeout;
  const deadline = options.deadline ?? defaults.deadline ?? operation.deadline;
  const validation = options.validation ?? defaults.validation;
  atLeast(1, 'timeout', timeout);
  if (deadline !== false) {
    atLeast(1, 'deadline', deadline);
  }
  oneOf(VALIDATION_MODES, 'validation', validation);
  return {
    timeout,
    deadline: deadline === false ? Number.POSITIVE_INFINITY : deadline,
    retry: mergeRetryPolicy(defaults.retry, options.retry),
    validation,
    headers:
      options.headers === undefined
        ? defaults.headers
        : { ...defaults.headers, ...checkHeaders(options.headers, defaults.keyHeader) },
    signal: options.signal,
  };
};
