import { unknownNames } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';

/** Refuses options that are no object, or that have a name which is not a known one. */
export type CheckNames = (
  /** What the names are: `option of createWebhooks`, `field of dedupe`. */
  kind: string,
  given: unknown,
  known: readonly string[],
) => void;

/**
 * {@link CheckNames} that suggests the name which was meant. Types refuse a misspelled option; this is for JavaScript,
 * and for options that come from elsewhere.
 *
 * @throws {@link WebhookConfigurationError}
 */
export const checkNames: CheckNames = (kind, given, known) => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new WebhookConfigurationError(problem);
  }
};
