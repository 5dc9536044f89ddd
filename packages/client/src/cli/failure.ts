import { isError } from '@confab/internal';
import { printable, UsageError } from '@confab/internal/cli';
import {
  ApiError,
  AuthenticationError,
  ConfabError,
  ConfigurationError,
  ConnectionError,
  ImportStoppedError,
  InvalidRequestError,
  InvalidResponseError,
  TimeoutError,
} from '../index.ts';
import { jsonLine } from './print.ts';

/** The exit codes and their meanings. */
export const EXIT_CODES: readonly (readonly [code: number, when: string])[] = [
  [0, 'The call succeeded.'],
  [1, 'An unexpected error occurred, or an import in progress could not read or write a file.'],
  [2, 'The command, a flag, a value, a file or the configuration is invalid. Nothing was sent.'],
  [3, 'The API refused the request with a status that has no exit code of its own, such as 400.'],
  [4, 'The API did not accept the key (401).'],
  [5, 'The key lacks a scope (403).'],
  [6, 'The API found nothing with this id (404).'],
  [7, 'The API reported a conflict (409), such as an existing phone number.'],
  [8, 'The rate limit requires a longer wait than the command allows (429).'],
  [9, 'The API failed (5xx), after retries where a repeat is harmless.'],
  [10, 'The connection failed, or the call timed out.'],
  [11, 'The response breaks the contract.'],
  [12, 'Some rows of an import failed. The others have their leads.'],
  [130, 'You pressed Ctrl+C.'],
];

const BY_STATUS: Readonly<Record<number, number>> = { 401: 4, 403: 5, 404: 6, 409: 7, 429: 8 };

/** The exit code for an error. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof ImportStoppedError) {
    return exitCodeOf(error.cause);
  }
  if (error instanceof ApiError) {
    return error.status >= 500 ? 9 : (BY_STATUS[error.status] ?? 3);
  }
  if (
    error instanceof UsageError ||
    error instanceof ConfigurationError ||
    error instanceof InvalidRequestError
  ) {
    return 2;
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return 10;
  }
  return error instanceof InvalidResponseError ? 11 : 1;
};

/** The client's messages name its options; people at a shell set flags. */
const messageOf = (error: unknown): string => {
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
  const message = messageOf(error);
  if (!asJson) {
    // Each line of a message names one problem.
    return `confab: ${message.split('\n').map(printable).join('\n')}`;
  }
  const { name, ...fields } = error instanceof ConfabError ? error.toJSON() : Object(error);
  return jsonLine({ error: { name, ...fields, message } });
};
