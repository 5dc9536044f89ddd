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

/** A creation that got a 409, because the lead exists. */
export interface Conflict extends Pick<CallSettings, 'retry' | 'totalTimeout'> {
  readonly error: ConflictError;
  /** The phone in E.164; undefined if only the service can read it. */
  readonly phone: string | undefined;
  /** When the total timeout of the whole call ends. */
  readonly endsAt: number;
}

/**
 * Searches for the lead that caused a 409, within what the creation left of the total timeout: the user made one call. The
 * lead may have been created a moment ago, and indexes lag: it looks again.
 *
 * @throws {@link ConflictError} When it finds none, or more than one.
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
      'cannot tell which lead has this phone. Write it in E.164, such as +442079460958, or pass `normalizePhone`.',
    );
  }
  const timeLimit = startTimeLimit(clock, Math.max(1, endsAt - clock.now()), options.signal);
  // Pages that the search reads ahead are part of this call, and have its rank in the queue.
  const sendPart: Caller['makeCall'] = (operation, input, ...rest) =>
    caller.sendRequest(started, operation, { ...input, ...bulk }, ...rest);
  const list = createListById(sendPart, reporter, key.redact);
  const listOptions = { ...options, extraQuery: {}, extraBody: undefined, signal: timeLimit.signal };
  const search = list('leads.list', { search: phone.slice(1) }, listOptions);
  try {
    for (let looks = 1; ; looks += 1) {
      const rows = await search.all({ max: MAX_FOUND });
      const [lead, another] = rows.filter((row) => String(row.phone).replace(/[^+\d]/g, '') === phone);
      if (another !== undefined) {
        throw unidentified('found more than one lead with this phone.');
      }
      if (lead !== undefined) {
        return lead;
      }
      const mayRepeat = retry && looks <= retry.limit;
      const waitedMs = mayRepeat
        ? Math.min(retry.baseDelay * 2 ** looks, retry.maxDelay)
        : Number.POSITIVE_INFINITY;
      if (clock.now() + waitedMs >= endsAt) {
        throw unidentified(
          'found no lead with this phone. If the service writes it in another way, pass `normalizePhone`; if its search lags behind, call again later.',
        );
      }
      await clock.sleep(waitedMs, timeLimit.signal, 'wait');
      started.callEffort.waitedMs += waitedMs;
    }
  } catch (reason) {
    const request = { operation: 'leads.create', label: 'leads.ensure' } as const;
    throw timeLimit.isTimeout(reason)
      ? createTotalTimeoutError({
          request,
          options: { totalTimeout, retry },
          effort: started.callEffort,
          operation: { idempotent: true },
        })
      : reason;
  } finally {
    timeLimit.end();
  }
};
