import { rejectOnAbort } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import type { Redact } from '../secrecy/redact.ts';
import { safeCause } from '../secrecy/safe-cause.ts';
import type { Clock } from '../time/clock.ts';
import { LONGEST_LOOKUP, within } from '../time/within.ts';
import { checkHeaders } from './check-headers.ts';
import type { AttemptHeaders } from './client-options.ts';
import type { AttemptEvent } from './hook-events.ts';

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
    const asked = (async () => provide(event))().catch((error: unknown) => {
      throw new ConfigurationError('The `headers` function failed.', {}, safeCause(error, redact));
    });
    const late = () =>
      new ConfigurationError(
        `The \`headers\` function returned nothing within ${LONGEST_LOOKUP / 1_000} seconds. Nothing was sent.`,
      );
    const headers = await rejectOnAbort(within(clock, LONGEST_LOOKUP, asked, late), signal);
    return checkHeaders(headers, reserved);
  };
