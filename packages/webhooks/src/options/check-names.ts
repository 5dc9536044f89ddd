import { unknownNames } from '@confab/internal';
import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';

/** Refuses options that are not an object, and options with an unknown name. */
export type CheckNames = (
  /** What each name is: `option of createWebhooks`, `field of dedupe`. */
  kind: string,
  given: unknown,
  known: readonly string[],
) => void;

/**
 * The {@link CheckNames} that suggests the closest known name. TypeScript catches most misspellings; this check is for
 * JavaScript, and for options from elsewhere.
 *
 * @throws {@link WebhookConfigurationError} When a name is unknown, or the options are not an object.
 */
export const checkNames: CheckNames = (kind, given, known) => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw new WebhookConfigurationError(problem);
  }
};
