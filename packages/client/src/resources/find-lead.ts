import type { Caller } from '../call/call.ts';
import { createTotalTimeoutError } from '../call/call-errors.ts';
import type { CallInput, StartedCall } from '../call/types.ts';
import type { Lead } from '../contract/types.ts';
import { ConflictError } from '../errors/index.ts';
import { createListById } from '../lists/paginated.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { CallSettings, ClientSettings } from '../options/resolve-options.ts';
import { startTimeLimit } from '../time/time-limit.ts';

/** Maximum number of leads to read from a search. A whole phone number matches few, unless the service ignores it. */
const MAX_FOUND = 500;

/** A 409 in response to a creation, because the lead exists. */
export interface Conflict extends Pick<CallSettings, 'retry' | 'totalTimeout'> {
  readonly error: ConflictError;
  /** The phone number in E.164; undefined if only the service can read it. */
  readonly phone: string | undefined;
  /** The time at which the total timeout of the whole call ends. */
  readonly endsAt: number;
}

/**
 * Searches for the lead that caused a 409. The search and the creation share one total timeout, because the user made
 * one call. It is repeated, because the lead may have been created a moment ago, and search indexes lag behind.
 *
 * @throws A {@link ConflictError} when no lead is found, or more than one.
 */
export const findLead = async (
  { clock, key, reporter }: ClientSettings,
  caller: Caller,
  started: StartedCall,
  { error: conflict, phone, retry, totalTimeout, endsAt }: Conflict,
  bulk: Pick<CallInput, 'isBulk' | 'freeRetriesMs'>,
  options: CallOptions,
): Promise<Lead> => {
  const unidentified = (why: string) =>
    new ConflictError(`${conflict.message}\nleads.ensure ${why}`, conflict);
  if (phone === undefined) {
    throw unidentified(
      'cannot search for this phone number, because it can be read in several ways. Write it in E.164, such as +442079460958, or pass `normalizePhone`.',
    );
  }
  const timeLimit = startTimeLimit(clock, Math.max(1, endsAt - clock.now()), options.signal);
  // Pages that the search reads ahead are part of this call, so they are bulk work only if the call is.
  const sendPart: Caller['makeCall'] = (operation, input, ...rest) =>
    caller.sendRequest(started, operation, { ...input, ...bulk }, ...rest);
  const list = createListById(sendPart, reporter, key.redact);
  const listOptions = { ...options, extraQuery: {}, extraBody: undefined, signal: timeLimit.signal };
  // The digits alone, because the API does not document whether its search finds a `+`.
  const search = list('leads.list', { search: phone.slice(1) }, listOptions);
  try {
    for (let searches = 1; ; searches += 1) {
      const rows = await search.all({ max: MAX_FOUND });
      const [lead, another] = rows.filter((row) => String(row.phone).replace(/[^+\d]/g, '') === phone);
      if (another !== undefined) {
        throw unidentified('found more than one lead with this phone number.');
      }
      if (lead !== undefined) {
        return lead;
      }
      const waitMs = retry ? Math.min(retry.baseDelay * 2 ** searches, retry.maxDelay) : 0;
      if (!retry || searches > retry.limit || clock.now() + waitMs >= endsAt) {
        throw unidentified(
          'found no lead with this phone number. If the service stores it in a different format, pass `normalizePhone`. If its search is behind, try again later.',
        );
      }
      await clock.sleep(waitMs, timeLimit.signal, 'wait');
      started.callEffort.waitedMs += waitMs;
    }
  } catch (reason) {
    const request = { operation: 'leads.create', label: 'leads.ensure' } as const;
    throw timeLimit.isTimeout(reason)
      ? createTotalTimeoutError({
          request,
          options: { totalTimeout },
          effort: started.callEffort,
          operation: { idempotent: true },
        })
      : reason;
  } finally {
    timeLimit.end();
  }
};
