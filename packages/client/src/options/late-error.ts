import { ConfigurationError } from '../errors/index.ts';
import { LONGEST_LOOKUP } from '../time/within.ts';

/** Creates the error of a function of the user's that hangs. */
export const lateError = (option: 'apiKey' | 'headers') => (): ConfigurationError =>
  new ConfigurationError(
    `The \`${option}\` function returned nothing within ${LONGEST_LOOKUP / 1_000} seconds. Nothing was sent.`,
  );
