import { isError } from '@confab/internal';
import { printable } from '@confab/internal/cli';
import { AuthenticationError, ConfabError, ConfigurationError, ImportStoppedError } from '../index.ts';
import { jsonLine } from './print.ts';

/** The exit codes, their meanings, and the errors that have them. */
export const EXIT_CODES: readonly (readonly [code: number, when: string, ...errors: string[]])[] = [
  [0, 'The call succeeded.'],
  [1, 'An unexpected error occurred, or an import in progress could not read or write a file.'],
  [
    2,
    'The command, a flag, a value, a file or the configuration is invalid. Nothing was sent.',
    ...['UsageError', 'ConfigurationError', 'InvalidRequestError'],
  ],
  [
    3,
    'The API refused the request with a status that has no exit code of its own, such as 400.',
    ...['ApiError', 'BadRequestError'],
  ],
  [4, 'The API did not accept the key (401).', 'AuthenticationError'],
  [5, 'The key lacks a scope (403).', 'PermissionError'],
  [6, 'The API found nothing with this id (404).', 'NotFoundError'],
  [7, 'The API reported a conflict (409), such as an existing phone number.', 'ConflictError'],
  [8, 'The rate limit requires a longer wait than the command allows (429).', 'RateLimitError'],
  [9, 'The API failed (5xx), after retries if a retry is safe.', 'ServerError'],
  [10, 'The connection failed, or the call timed out.', 'ConnectionError', 'TimeoutError'],
  [11, 'The response breaks the contract.', 'InvalidResponseError'],
  [12, 'Some rows of an import failed. The leads of the other rows exist.'],
  [130, 'You pressed Ctrl+C.'],
];

/** The exit code for an error. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof ImportStoppedError) {
    return exitCodeOf(error.cause);
  }
  const { name } = Object(error);
  return EXIT_CODES.find(([, , ...errors]) => errors.includes(name))?.[0] ?? 1;
};

/** Replaces the names of options in the client's messages by the names of flags. */
const translateMessage = (error: unknown): string => {
  // The command itself says how to resume an import.
  const message = (isError(error) ? error.message : String(error)).replace(
    /To resume it, skip \d+ rows\. /,
    '',
  );
  return error instanceof ConfigurationError || error instanceof AuthenticationError
    ? message
        .replaceAll('`baseUrl`', '--base-url')
        .replaceAll('`apiKey`', '--api-key')
        .replaceAll('`dangerouslyAllowHttp: true`', 'https')
    : message;
};

/** Describes an error: in JSON with the fields of the client's `toJSON()`, otherwise in a sentence. */
export const describeError = (error: unknown, asJson: boolean): string => {
  const message = translateMessage(error);
  if (!asJson) {
    // Each line of a message names one problem.
    return `confab: ${message.split('\n').map(printable).join('\n')}`;
  }
  const { name, ...fields } = error instanceof ConfabError ? error.toJSON() : Object(error);
  return jsonLine({ error: { name, ...fields, message } });
};
