import { ApiPromise } from '../call/api-promise.ts';
import type { Caller } from '../call/call.ts';
import { totalTimeoutError } from '../call/call-errors.ts';
import { readData } from '../call/response.ts';
import type { CallEffort, CallResult } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import type { Lead, LeadCreate } from '../contract/types.ts';
import { ConflictError } from '../errors/index.ts';
import { createListById } from '../lists/list-by-id.ts';
import type { CallOptions } from '../options/client-options.ts';
import type { ResolvedClientOptions } from '../options/resolve-options.ts';
import { resolveCallOptions } from '../options/resolve-options.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import { startTimeLimit } from '../time/time-limit.ts';
import { digitsOf } from './phone.ts';

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

/** Maximum number of leads to read from a search. A whole phone number matches few, unless the service ignores it. */
const MAX_FOUND = 500;

/** Adds what a part of a call took. */
const add = (sum: CallEffort, part: CallEffort): CallEffort => ({
  attempts: sum.attempts + part.attempts,
  queuedMs: sum.queuedMs + part.queuedMs,
  waitedMs: sum.waitedMs + part.waitedMs,
  mayHaveActedEarlier: sum.mayHaveActedEarlier,
});

export const createEnsureLead = (
  { clock, key, reporter, callDefaults }: ResolvedClientOptions,
  caller: Caller,
) => {
  /** A repeat is harmless: it gets a 409 for the lead that an earlier attempt created, and that lead is found. */
  const operation = { ...operations['leads.create'], label: 'leads.ensure', idempotent: true };

  /**
   * Finds the lead that caused a 409.
   *
   * @throws {@link ConflictError} When it is uncertain which lead that is.
   */
  const find = async (
    call: Caller['call'],
    phone: string,
    options: CallOptions,
    conflict: ConflictError,
  ): Promise<Lead> => {
    const list = createListById(call, reporter, key.redact);
    // A phone number without a country code is ambiguous.
    const search = digitsOf(phone);
    const found =
      search === undefined ? [] : await list('leads.list', { search }, options).all({ max: MAX_FOUND });
    const [lead, another] = found.filter((row) => digitsOf(row.phone ?? '') === search);
    if (lead === undefined || another !== undefined) {
      throw new ConflictError(
        `${conflict.message}\nleads.ensure did not find exactly one lead with this phone. Write the phone with + and the country code.`,
        conflict,
      );
    }
    return lead;
  };

  const createOrFind = async (
    callId: number,
    body: LeadCreate,
    options: CallOptions,
  ): Promise<CallResult<EnsuredLead>> => {
    const startedAt = clock.now();
    const creation = await caller.send(
      callId,
      operation,
      { body },
      options,
      (response): EnsuredLead => ({
        lead: readData<'leads.create'>(response, reporter).data,
        status: 'created',
      }),
    );
    if (!('error' in creation) || !(creation.error instanceof ConflictError)) {
      return creation;
    }

    const conflict = creation.error;
    const { status, headers, attempts, body: text } = conflict;
    const { totalTimeout } = resolveCallOptions(operation, callDefaults, options, key.redact);
    let effort: CallEffort = creation;
    const call: Caller['call'] = async (...request) => {
      const part = await caller.send(callId, ...request);
      effort = add(effort, part);
      return part;
    };
    // The search gets what the creation left of the total timeout: the user made one call.
    const left = Math.max(1, totalTimeout - (clock.now() - startedAt));
    let limit: TimeLimit | undefined;
    try {
      limit = startTimeLimit(clock, left, options.signal);
      const searchOptions = { ...options, extraQuery: {}, extraBody: undefined, signal: limit.signal };
      const lead = await find(call, body.phone, searchOptions, conflict);
      const data: EnsuredLead = { lead, status: creation.mayHaveActedEarlier ? 'unknown' : 'existing' };
      return { ...effort, data, response: { status, headers, attempts, text } };
    } catch (reason) {
      const names = { operation: operation.id, label: operation.label };
      const error = limit?.isTimeout(reason)
        ? totalTimeoutError(names, totalTimeout, effort.attempts, { mayHaveWritten: false, retry: false })
        : reason;
      return { ...effort, error, response: undefined };
    } finally {
      limit?.end();
    }
  };

  return (body: LeadCreate, options: CallOptions = {}): ApiPromise<EnsuredLead> =>
    new ApiPromise(
      caller.reportCall('leads.ensure', options?.signal, (callId) => createOrFind(callId, body, options)),
    );
};
