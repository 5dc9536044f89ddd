import { operations } from '../contract/operations.ts';
import type { Lead, LeadCreate } from '../contract/types.ts';
import { ConflictError } from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import { resolveCallOptions } from '../options/resolve-call-options.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import { startLifetime } from '../time/lifetime.ts';
import { ApiPromise } from '../transport/api-promise.ts';
import type { ReceivedData } from '../transport/api-response.ts';
import { deadlineError } from '../transport/call-errors.ts';
import type { Transport } from '../transport/transport.ts';
import { createLister } from './lister.ts';
import { digitsIn, readPhone } from './phone.ts';

/** What `leads.ensure` resolves with. */
export interface EnsuredLead {
  /** The new or existing lead. */
  readonly lead: Lead;
  /**
   * True when this call created the lead, false when the lead existed before. Undefined when the response to an earlier
   * attempt was lost, because that attempt may have created the lead.
   */
  readonly created: boolean | undefined;
}

/** Maximum number of leads to read from a search. A whole phone number matches few, unless the service ignores it. */
const MOST_FOUND = 500;

/** Returns the lead that has the phone; undefined unless exactly one certainly does. */
const pickLead = (leads: readonly Lead[], phone: string): Lead | undefined => {
  const wanted = readPhone(phone);
  const same = leads.filter((lead) => {
    const found = readPhone(lead.phone ?? '');
    // A service that keeps extensions has one lead for each.
    return found?.digits === wanted?.digits && ['', wanted?.extension].includes(found?.extension);
  });
  const exact = same.filter((lead) => readPhone(lead.phone ?? '')?.written === wanted?.written);
  const [match, another] = exact.length > 0 ? exact : same;
  // The service may have read an uncertain phone as another number, but that number has the same last digits.
  const similar = leads.filter((lead) => digitsIn(lead.phone ?? '').includes(wanted?.search ?? ''));
  const uncertain = !wanted?.certain && (similar.length > 1 || leads.length === MOST_FOUND);
  return another === undefined && !uncertain ? match : undefined;
};

export const createEnsureLead = (
  { clock, key, callDefaults }: ResolvedClientOptions,
  { asOne }: Transport,
) => {
  /** Finds the lead that caused a 409. */
  const find = async (
    part: Transport,
    phone: string,
    options: CallOptions,
    conflict: ConflictError,
  ): Promise<Lead> => {
    const list = createLister(part, key.redact);
    const search = readPhone(phone)?.search;
    // A phone without a country code could be anybody's.
    const leads =
      search === undefined ? [] : await list('leads.list', { search }, options).all({ max: MOST_FOUND });
    const lead = pickLead(leads, phone);
    if (lead === undefined) {
      throw new ConflictError(
        `${conflict.message}\nleads.ensure did not find exactly one lead with this phone. Write the phone with + and the country code.`,
        conflict,
      );
    }
    return lead;
  };

  /** Finds the lead within what the creation left of the deadline: the user made one call. */
  const findInTime = async (
    part: Transport,
    phone: string,
    options: CallOptions,
    conflict: ConflictError,
    { deadline, startedAt }: { readonly deadline: number; readonly startedAt: number },
  ): Promise<Lead> => {
    const left = Math.max(1, deadline - (clock.now() - startedAt));
    const lifetime = startLifetime(clock, left, options.signal);
    try {
      return await find(
        part,
        phone,
        { ...options, extraQuery: {}, extraBody: undefined, signal: lifetime.signal },
        conflict,
      );
    } catch (error) {
      const { operation, attempts } = conflict;
      throw lifetime.isTimeout(error)
        ? deadlineError({ operation, label: operation }, deadline, attempts)
        : error;
    } finally {
      lifetime.end();
    }
  };

  /** The existing lead with the 409, which `withResponse()` and `asResponse()` show. */
  const toReceived = (
    { operation, attempts, status, headers, message, code }: ConflictError,
    found: EnsuredLead,
  ): ReceivedData<EnsuredLead> => {
    const body = { success: false, error: message, code };
    return {
      operation,
      label: operation,
      attempts,
      status,
      headers,
      text: JSON.stringify(body),
      body,
      redact: key.redact,
      validation: 'off',
      data: Promise.resolve(found),
    };
  };

  return (body: LeadCreate, options: CallOptions = {}): ApiPromise<EnsuredLead> => {
    let uncertain = false;

    const createOrFind = async (part: Transport): Promise<ReceivedData<EnsuredLead>> => {
      const resolved = resolveCallOptions(operations['leads.create'], callDefaults, options, key.redact);
      const retry = resolved.retry && { ...resolved.retry, nonIdempotent: true };
      const startedAt = clock.now();
      const onUncertainRepeat = () => {
        uncertain = true;
      };
      try {
        // A repeat gets a 409 for the lead that an earlier attempt created, and finds that lead.
        return await part.send(
          'leads.create',
          { body, onUncertainRepeat },
          { ...options, retry },
          (response): EnsuredLead => ({ lead: part.decode<'leads.create'>(response).data, created: true }),
        );
      } catch (error) {
        if (!(error instanceof ConflictError)) {
          throw error;
        }
        const { deadline } = resolved;
        const lead = await findInTime(part, body.phone, options, error, { deadline, startedAt });
        return toReceived(error, { lead, created: uncertain ? undefined : false });
      }
    };

    return new ApiPromise(asOne('leads.ensure', options?.signal, createOrFind));
  };
};
