import { rejectOnAbort } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import type { Redact } from '../errors/redaction.ts';
import { innermost, safeCause } from '../errors/redaction.ts';
import type { Clock } from '../time/clock.ts';
import { LONGEST_LOOKUP, within } from '../time/time-limit.ts';
import { lateError } from './api-key.ts';
import type { AttemptHeaders } from './client-options.ts';
import type { AttemptEvent } from './events.ts';
import { checkHeaders } from './option-checks.ts';

/** Returns the headers of one attempt that the user's function provides. */
export type AskHeaders = (
  event: AttemptEvent,
  redact: Redact,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, string>>>;

/**
 * Creates a function that calls the user's `headers` function and checks what it returns.
 *
 * @param reserved The header that carries the API key.
 * @throws {@link ConfigurationError} When the function fails or returns invalid headers.
 * @throws The signal's reason once it is aborted.
 */
export const createAskHeaders =
  (provide: AttemptHeaders, reserved: string, clock: Clock): AskHeaders =>
  async (event, redact, signal) => {
    const asked = (async () => checkHeaders(await provide(event), reserved))().catch((error: unknown) => {
      const cause = safeCause(error, redact);
      throw new ConfigurationError(
        `The \`headers\` function failed${cause ? `: ${innermost(cause).message}` : '.'}`,
        {},
        cause,
      );
    });
    // An abort ends the work, which stops the timer.
    return within(clock, LONGEST_LOOKUP, rejectOnAbort(asked, signal), lateError('headers'));
  };
