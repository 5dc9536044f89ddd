import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import type { CheckNames } from './check-names.ts';

/**
 * The {@link CheckNames} of `sign`. It lists the known names without suggesting one, because the search for the closest
 * name would be a fifth of that function in a bundle.
 *
 * @throws {@link WebhookConfigurationError} When a name is unknown.
 */
export const checkKnown: CheckNames = (kind, given, known) => {
  const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new WebhookConfigurationError(`Unknown ${kind} \`${unknown}\`. Known: ${known.join(', ')}.`);
  }
};
