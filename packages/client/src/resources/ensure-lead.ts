import type { Checks } from '@confab/internal';
import { isFunction, typeName } from '@confab/internal';
import { ApiPromise } from '../call/api-promise.ts';
import type { Caller } from '../call/call.ts';
import { totalTimeoutError } from '../call/call-errors.ts';
import { readData } from '../call/response.ts';
import type { CallEffort, CallResult, StartedCall } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import type { Lead, LeadCreate } from '../contract/types.ts';
import { ConflictError, InvalidRequestError } from '../errors/index.ts';
import { createListById } from '../lists/list-by-id.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS, checkCallOptions } from '../options/option-checks.ts';
import type { CallSettings, ClientSettings } from '../options/resolve-options.ts';
import { resolveCallOptions } from '../options/resolve-options.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import { isE164, toE164 } from './phone.ts';

/** The result of `leads.ensure`. */
export interface EnsuredLead {
  /** The new or existing lead. */
  readonly lead: Lead;
  /**
   * `created`: this call created the lead. `existing`: the lead existed before. `unknown`: the response to an earlier
   * attempt was lost, so that attempt may have created the lead.
   */
  readonly status: 'created' | 'existing' | 'unknown';
}

/** Options of {@link Leads.ensure}. */
export interface EnsureOptions extends CallOptions {
  /**
   * Returns a phone in E.164, such as `+442079460958`, or undefined if it is not a phone number. The result is sent and searched
   * for instead of the phone as it is written; for undefined, the call is refused.
   *
   * @default reads phones with `+` or `00` and a country code; the service reads the others
   */
  normalizePhone?: ((phone: string) => string | undefined) | undefined;
}

const ENSURE_OPTIONS: Checks<EnsureOptions> = { ...CALL_OPTIONS, normalizePhone: isFunction };

/** Maximum number of leads to read from a search. A whole phone number matches few, unless the service ignores it. */
const MAX_FOUND = 500;

/** A repeat is harmless: it gets a 409 for the lead that an earlier attempt created, and that lead is found. */
const OPERATION = { ...operations['leads.create'], label: 'leads.ensure', idempotent: true };

/**
 * Returns the phone of a lead in E.164; undefined if only the service can read it.
 *
 * @throws {@link InvalidRequestError} When `normalizePhone` returns anything else.
 */
export const phoneInE164 = (
  body: LeadCreate | undefined | null,
  normalizePhone: EnsureOptions['normalizePhone'],
): string | undefined => {
  // The contract says what is wrong with a body without a phone.
  const { phone } = Object(body);
  if (typeof phone !== 'string' || normalizePhone === undefined) {
    return toE164(phone);
  }
  const normalized = normalizePhone(phone);
  if (!isE164(normalized)) {
    const what = typeof normalized === 'string' ? 'another text' : typeName(normalized);
    const message = `must be in E.164, such as +442079460958: \`normalizePhone\` returned ${what}`;
    throw new InvalidRequestError(OPERATION.id, [{ path: 'phone', message }], OPERATION.label);
  }
  return normalized;
};

/** What all calls for one lead have cost, and whether one of them may have acted. */
export interface EnsureHistory {
  /** Whether one of them may have created the lead. */
  doubt: boolean;
}

/** What to ensure. */
interface EnsureInput {
  readonly body: LeadCreate;
  /** True for a row of an import. */
  readonly isBulk: boolean;
  readonly history: EnsureHistory;
}

const NO_EFFORT: CallEffort = { attempts: 0, queuedMs: 0, waitedMs: 0, doubt: false };

/** Adds what a part of a call took. */
const add = (sum: CallEffort, part: CallEffort): CallEffort => ({
  attempts: sum.attempts + part.attempts,
  queuedMs: sum.queuedMs + part.queuedMs,
  waitedMs: sum.waitedMs + part.waitedMs,
  doubt: sum.doubt,
});

/** Says why the lead that caused a 409 was not found. */
const unidentified = (conflict: ConflictError, why: string): ConflictError =>
  new ConflictError(`${conflict.message}\n${why}`, conflict);

/** A creation that got a 409, because the lead exists. */
interface Conflict {
  readonly error: ConflictError;
  readonly effort: CallEffort;
  readonly isBulk: boolean;
  /** The phone in E.164; undefined if only the service can read it. */
  readonly phone: string | undefined;
  /** When the total timeout of the whole call ends. */
  readonly endsAt: number;
}

/**
 * Searches for the lead that caused a 409. It may have been created a moment ago, and indexes lag: it looks again.
 *
 * @param search Returns the leads with the phone.
 * @param wait Waits some milliseconds.
 * @throws {@link ConflictError} When it finds none, or more than one.
 */
const findLead = async (
  conflict: ConflictError,
  retry: CallSettings['retry'],
  search: () => Promise<Lead[]>,
  wait: (delayMs: number) => Promise<boolean>,
): Promise<Lead> => {
  for (let looks = 1; ; looks += 1) {
    const [lead, another] = await search();
    if (another !== undefined) {
      throw unidentified(conflict, 'leads.ensure found more than one lead with this phone.');
    }
    if (lead !== undefined) {
      return lead;
    }
    const mayRepeat = retry && looks <= retry.limit;
    if (!mayRepeat || !(await wait(Math.min(retry.baseDelay * 2 ** looks, retry.maxDelay)))) {
      throw unidentified(
        conflict,
        'leads.ensure found no lead with this phone. If the service writes it in another way, pass `normalizePhone`; if its search lags behind, call again later.',
      );
    }
  }
};

/** Finds the lead that caused a 409, within what the creation left of the total timeout: the user made one call. */
const findExisting = async (
  { clock, key, reporter }: ClientSettings,
  caller: Caller,
  started: StartedCall,
  { error: conflict, effort: creation, isBulk, phone, endsAt }: Conflict,
  options: CallOptions,
  { totalTimeout, retry }: CallSettings,
): Promise<CallResult<EnsuredLead>> => {
  if (phone === undefined) {
    const why =
      'leads.ensure cannot tell which lead has this phone. Write it in E.164, such as +442079460958, or pass `normalizePhone`.';
    return { ...creation, error: unidentified(conflict, why), response: undefined };
  }
  let effort = creation;
  const timeLimit = startTimeLimit(clock, Math.max(1, endsAt - clock.now()), options.signal);
  const sendPart: Caller['makeCall'] = async (operation, input, ...rest) => {
    // Pages that the search reads ahead are part of this call, and have its rank in the queue.
    const part = await caller.sendRequest(started, operation, { ...input, isBulk }, ...rest);
    effort = add(effort, part);
    return part;
  };
  const search = async (): Promise<Lead[]> => {
    const searchOptions = { ...options, extraQuery: {}, extraBody: undefined, signal: timeLimit.signal };
    const list = createListById(sendPart, reporter, key.redact);
    const found = await list('leads.list', { search: phone.slice(1) }, searchOptions).all({ max: MAX_FOUND });
    return found.filter((row) => String(row.phone).replace(/[^+\d]/g, '') === phone);
  };
  /** Returns false if that would exceed the total timeout. */
  const wait = async (waitedMs: number): Promise<boolean> => {
    if (clock.now() + waitedMs >= endsAt) {
      return false;
    }
    await clock.sleep(waitedMs, timeLimit.signal, 'wait');
    effort = add(effort, { ...NO_EFFORT, waitedMs });
    return true;
  };
  try {
    const lead = await findLead(conflict, retry, search, wait);
    const { status, headers, attempts, body: text } = conflict;
    const data: EnsuredLead = { lead, status: creation.doubt ? 'unknown' : 'existing' };
    return { ...effort, data, response: { status, headers, attempts, text } };
  } catch (reason) {
    const request = { operation: OPERATION.id, label: OPERATION.label };
    const error = timeLimit.isTimeout(reason)
      ? totalTimeoutError({ request, options: { totalTimeout, retry }, effort, idempotent: true })
      : reason;
    return { ...effort, error, response: undefined };
  } finally {
    timeLimit.end();
  }
};

const createOrFind = async (
  settings: ClientSettings,
  caller: Caller,
  started: StartedCall,
  { body, isBulk, history }: EnsureInput,
  options: EnsureOptions,
): Promise<CallResult<EnsuredLead>> => {
  const { clock, key, reporter, callDefaults } = settings;
  let phone: string | undefined;
  let resolvedOptions: CallSettings;
  const startedAt = clock.now();
  const { normalizePhone, ...callOptions } = options ?? {};
  try {
    checkCallOptions(OPERATION, options, ENSURE_OPTIONS, key.redact);
    phone = phoneInE164(body, normalizePhone);
    resolvedOptions = resolveCallOptions(OPERATION, callDefaults, callOptions, key.redact);
  } catch (error) {
    return { ...NO_EFFORT, error, response: undefined };
  }
  const input = { body: phone === undefined ? body : { ...body, phone }, isBulk };
  const creation = await caller.sendRequest(
    started,
    OPERATION,
    input,
    callOptions,
    (response): EnsuredLead => {
      const { data: lead } = readData<'leads.create'>(response, reporter);
      return { lead, status: 'created' };
    },
  );
  history.doubt ||= creation.doubt;
  if (!('error' in creation && creation.error instanceof ConflictError)) {
    return creation;
  }
  const { error, response, ...sent } = creation;
  const effort = { ...sent, doubt: history.doubt };
  const conflict = { error, effort, isBulk, phone, endsAt: startedAt + resolvedOptions.totalTimeout };
  return findExisting(settings, caller, started, conflict, callOptions, resolvedOptions);
};

export const createEnsureLead =
  (settings: ClientSettings, caller: Caller) =>
  (input: EnsureInput, options: EnsureOptions = {}): ApiPromise<EnsuredLead> =>
    new ApiPromise(
      caller.reportCall('leads.ensure', options?.signal, (started) =>
        createOrFind(settings, caller, started, input, options),
      ),
    );
