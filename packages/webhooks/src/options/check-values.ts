import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';

/**
 * Returns an option that is a function.
 *
 * @throws {@link WebhookConfigurationError} When it is not.
 */
export const functionOf = <Value>(value: Value, option: string): Value => {
  if (typeof value === 'function') {
    return value;
  }
  throw new WebhookConfigurationError(`${option} must be a function, got ${typeof value}.`);
};

/**
 * Returns an option that is a positive number, and not infinite.
 *
 * @throws {@link WebhookConfigurationError} When it is not.
 */
export const positiveNumber = (value: number, option: string): number => {
  if (value > 0 && Number.isFinite(value)) {
    return value;
  }
  throw new WebhookConfigurationError(`${option} must be a positive number, got ${value}.`);
};

/**
 * Returns an option that is a positive integer.
 *
 * @throws {@link WebhookConfigurationError} When it is not.
 */
export const positiveInteger = (value: number, option: string): number => {
  if (value > 0 && Number.isSafeInteger(value)) {
    return value;
  }
  throw new WebhookConfigurationError(`${option} must be a positive integer, got ${value}.`);
};
