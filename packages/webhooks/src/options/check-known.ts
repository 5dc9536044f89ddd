import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { CheckNames } from './check-names.ts';

/**
 * {@link CheckNames} for `sign`: it lists the known names instead of finding the one that was meant, which would be a
 * fifth of that function in a bundle.
 *
 * @throws {@link WebhookConfigurationError}
 */
export const checkKnown: CheckNames = (kind, given, known) => {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new WebhookConfigurationError(`Unknown ${kind} \`${unknown}\`. Known: ${known.join(', ')}.`);
  }
};
