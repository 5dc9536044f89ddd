import { UsageError } from '@confab/internal/cli';
import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../errors/index.ts';

interface ExitRow {
  readonly code: number;
  readonly when: string;
  readonly errors: readonly (abstract new (...args: never[]) => Error)[];
}

/** What each exit code means. The first row that names the class of an error applies. */
export const EXIT_CODES: readonly ExitRow[] = [
  { code: 0, when: 'The call succeeded.', errors: [] },
  { code: 1, when: 'An unexpected error occurred.', errors: [] },
  {
    code: 2,
    when: 'The command, a flag, a value or the configuration is invalid. Nothing was sent.',
    errors: [UsageError, ConfigurationError, InvalidRequestError],
  },
  { code: 4, when: 'The API did not accept the key (401).', errors: [AuthenticationError] },
  { code: 5, when: 'The key lacks a scope (403).', errors: [PermissionError] },
  { code: 6, when: 'The API found nothing with this id (404).', errors: [NotFoundError] },
  {
    code: 7,
    when: 'The API reported a conflict, such as a phone number that exists (409).',
    errors: [ConflictError],
  },
  {
    code: 8,
    when: 'The rate limit asks for a longer wait than the command makes (429).',
    errors: [RateLimitError],
  },
  { code: 9, when: 'The API failed (5xx), after retries where a repeat is harmless.', errors: [ServerError] },
  {
    code: 3,
    when: 'The API refused the request for a reason without a code of its own here, such as 400.',
    errors: [ApiError],
  },
  { code: 10, when: 'The connection failed, or the time was up.', errors: [ConnectionError, TimeoutError] },
  { code: 11, when: 'The response is not what the API promises.', errors: [InvalidResponseError] },
  { code: 130, when: 'You pressed Ctrl+C.', errors: [] },
];

/** The exit code for an error. */
export const exitCodeOf = (error: unknown): number =>
  EXIT_CODES.find(({ errors }) => errors.some((kind) => error instanceof kind))?.code ?? 1;
