import type { Checks } from '@confab/internal';
import { isFunction } from '@confab/internal';
import { ApiPromise } from '../call/api-promise.ts';
import type { Caller } from '../call/call.ts';
import type { CallResult } from '../call/call-result.ts';
import { checkEnvelope } from '../call/check-response.ts';
import type { CallInput, StartedCall } from '../call/types.ts';
import { operations } from '../contract/operations.ts';
import type { Lead, LeadCreate } from '../contract/types.ts';
import { ConflictError } from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS, checkCallOptions } from '../options/option-checks.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import { resolveCallOptions } from '../options/resolve-options.ts';
import { findLead } from './find-lead.ts';
import { phoneInE164 } from './phone.ts';

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
   * Converts a phone number to E.164, such as `+442079460958`. The client sends the result, and searches for it,
   * instead of the number as written. If the function returns undefined, the call rejects with an {@link
   * InvalidRequestError}.
   *
   * @default converts numbers with `+` or `00` and a country code; the service reads the others
   */
  normalizePhone?: ((phone: string) => string | undefined) | undefined;
}

const ENSURE_OPTIONS: Checks<EnsureOptions> = { ...CALL_OPTIONS, normalizePhone: isFunction };

/** A retry is safe: if an earlier attempt created the lead, the retry gets a 409, and the search finds that lead. */
const OPERATION = { ...operations['leads.create'], label: 'leads.ensure', idempotent: true };

/** The lead to ensure, and whether its requests yield to other calls. */
type EnsureInput = Pick<CallInput, 'isBulk' | 'freeRetriesMs'> & { readonly body: LeadCreate };

const createOrFind = async (
  settings: ClientSettings,
  caller: Caller,
  started: StartedCall,
  { body, ...bulk }: EnsureInput,
  options: EnsureOptions,
): Promise<CallResult<EnsuredLead>> => {
  const { clock, key, reporter, callDefaults } = settings;
  const startedAt = clock.now();
  checkCallOptions(OPERATION, options, ENSURE_OPTIONS, key.redact);
  const { normalizePhone, ...callOptions } = options;
  const phone = phoneInE164(body, normalizePhone);
  const { retry, totalTimeout } = resolveCallOptions(OPERATION, callDefaults, callOptions, key.redact);
  const input = { ...bulk, body: phone === undefined ? body : { ...body, phone } };
  const creation = await caller.sendRequest(
    started,
    OPERATION,
    input,
    callOptions,
    (response): EnsuredLead => {
      const { data: lead } = checkEnvelope<'leads.create'>(response, reporter);
      return { lead, status: 'created' };
    },
  );
  if (!('error' in creation && creation.error instanceof ConflictError)) {
    return creation;
  }
  // The attempt with the 409 created nothing, but an earlier one may have.
  const status = started.callEffort.mayHaveActed ? 'unknown' : 'existing';
  const conflict = { error: creation.error, phone, retry, totalTimeout, endsAt: startedAt + totalTimeout };
  const lead = await findLead(settings, caller, started, conflict, bulk, callOptions);
  const { status: httpStatus, headers, attempts, body: text } = creation.error;
  return { data: { lead, status }, response: { status: httpStatus, headers, attempts, text } };
};

/** @internal */
export const createEnsureLead =
  (settings: ClientSettings, caller: Caller) =>
  (input: EnsureInput, options: EnsureOptions = {}): ApiPromise<EnsuredLead> =>
    new ApiPromise(
      caller.reportCall('leads.ensure', options?.signal, async (started) => {
        try {
          return await createOrFind(settings, caller, started, input, options);
        } catch (error) {
          return { error, response: undefined };
        }
      }),
    );
