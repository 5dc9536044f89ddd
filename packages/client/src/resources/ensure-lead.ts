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
import type { ResolvedCallOptions, ResolvedClientOptions } from '../options/resolve-options.ts';
import { resolveCallOptions } from '../options/resolve-options.ts';
import type { TimeLimit } from '../time/time-limit.ts';
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
   * Returns a phone in E.164, such as `+442079460958`, or undefined if it is none. What it returns is sent and searched
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

export const createEnsureLead = (
  { clock, key, reporter, callDefaults }: ResolvedClientOptions,
  caller: Pick<Caller, 'reportCall' | 'send'>,
) => {
  const search = async (call: Caller['call'], phone: string, options: CallOptions): Promise<Lead[]> => {
    const list = createListById(call, reporter, key.redact);
    const found = await list('leads.list', { search: phone.slice(1) }, options).all({ max: MAX_FOUND });
    return found.filter((row) => String(row.phone).replace(/[^+\d]/g, '') === phone);
  };

  /** Finds the lead that caused a 409. It may have been created a moment ago, and indexes lag: it looks again. */
  const findExisting = async (
    started: StartedCall,
    phone: string | undefined,
    options: CallOptions,
    {
      creation,
      conflict,
      endsAt,
      resolved: { totalTimeout, retry },
    }: {
      creation: CallEffort;
      conflict: ConflictError;
      endsAt: number;
      resolved: ResolvedCallOptions;
    },
  ): Promise<CallResult<EnsuredLead>> => {
    let effort = creation;
    const call: Caller['call'] = async (...request) => {
      const part = await caller.send(started, ...request);
      effort = add(effort, part);
      return part;
    };
    let limit: TimeLimit | undefined;
    try {
      if (phone === undefined) {
        throw unidentified(
          conflict,
          'leads.ensure cannot tell which lead has this phone. Write it in E.164, such as +442079460958, or pass `normalizePhone`.',
        );
      }
      // The searches get what the creation left of the total timeout: the user made one call.
      limit = startTimeLimit(clock, Math.max(1, endsAt - clock.now()), options.signal);
      const searchOptions = { ...options, extraQuery: {}, extraBody: undefined, signal: limit.signal };
      for (let looks = 1; ; looks += 1) {
        const [lead, another] = await search(call, phone, searchOptions);
        if (another !== undefined) {
          throw unidentified(conflict, 'leads.ensure found more than one lead with this phone.');
        }
        if (lead !== undefined) {
          const { status, headers, attempts, body: text } = conflict;
          const data: EnsuredLead = { lead, status: creation.doubt ? 'unknown' : 'existing' };
          return { ...effort, data, response: { status, headers, attempts, text } };
        }
        const waitedMs = retry ? Math.min(retry.baseDelay * 2 ** looks, retry.maxDelay) : 0;
        if (!retry || looks > retry.limit || clock.now() + waitedMs >= endsAt) {
          throw unidentified(
            conflict,
            'leads.ensure found no lead with this phone. If the service writes it in another way, pass `normalizePhone`; if its search lags behind, call again later.',
          );
        }
        await clock.sleep(waitedMs, limit.signal, 'wait');
        effort = add(effort, { ...NO_EFFORT, waitedMs });
      }
    } catch (reason) {
      const request = { operation: OPERATION.id, label: OPERATION.label };
      const options = { totalTimeout, retry };
      const error = limit?.isTimeout(reason)
        ? totalTimeoutError({ request, options, effort, idempotent: true })
        : reason;
      return { ...effort, error, response: undefined };
    } finally {
      limit?.end();
    }
  };

  const createOrFind = async (
    started: StartedCall,
    body: LeadCreate,
    options: EnsureOptions,
  ): Promise<CallResult<EnsuredLead>> => {
    let phone: string | undefined;
    let resolved: ResolvedCallOptions;
    const startedAt = clock.now();
    const { normalizePhone, ...callOptions } = options ?? {};
    try {
      checkCallOptions(OPERATION, options, ENSURE_OPTIONS, key.redact);
      phone = phoneInE164(body, normalizePhone);
      resolved = resolveCallOptions(OPERATION, callDefaults, callOptions, key.redact);
    } catch (error) {
      return { ...NO_EFFORT, error, response: undefined };
    }
    const input = { body: phone === undefined ? body : { ...body, phone } };
    const creation = await caller.send(
      started,
      OPERATION,
      input,
      callOptions,
      (response): EnsuredLead => ({
        lead: readData<'leads.create'>(response, reporter).data,
        status: 'created',
      }),
    );
    return 'error' in creation && creation.error instanceof ConflictError
      ? findExisting(started, phone, callOptions, {
          creation,
          conflict: creation.error,
          endsAt: startedAt + resolved.totalTimeout,
          resolved,
        })
      : creation;
  };

  return (body: LeadCreate, options: EnsureOptions = {}): ApiPromise<EnsuredLead> =>
    new ApiPromise(
      caller.reportCall('leads.ensure', options?.signal, (started) => createOrFind(started, body, options)),
    );
};
