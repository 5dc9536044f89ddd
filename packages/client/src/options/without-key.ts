import { oneLine } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import type { Redact } from '../secrecy/redact.ts';

/**
 * Runs a check of options and redacts its error. A caller who mixes up arguments may have passed the API key as a name.
 *
 * @throws {@link ConfigurationError} When the check throws one.
 */
export const withoutKey = <T>(redact: Redact, check: () => T): T => {
  try {
    return check();
  } catch (error) {
    throw error instanceof ConfigurationError
      ? new ConfigurationError(oneLine(redact(error.message)))
      : error;
  }
};
