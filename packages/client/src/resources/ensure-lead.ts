import { operations } from '../contract/index.ts';
import type { Lead, LeadCreate } from '../contract/types/index.ts';
import { ConflictError } from '../errors/index.ts';
import type { CallOptions } from '../options/options.ts';
import type { Config } from '../options/resolve-client-options.ts';
import { startLifetime } from '../time/lifetime.ts';
import type { Reply } from '../transport/api-promise.ts';
import { deadlineError } from '../transport/deadline-error.ts';
import type { Requester } from '../transport/transport.ts';
import type { Lister } from './lister.ts';
import { digitsIn, readPhone } from './phone.ts';

/** What `leads.ensure` resolves with. */
export interface EnsuredLead {
  readonly lead: Lead;
  /**
   * True when this call created the lead, false when it was there before. Undefined when that can't be known: the
   * response to an earlier attempt was lost, and that attempt may have created it.
   */
  readonly created: boolean | undefined;
}

/** Most leads that a search is read for: one for a whole phone number finds a few, unless the service ignores it. */
const MOST_FOUND = 500;

export const createEnsureLead = (config: Config, { exchange }: Requester, list: Lister) => {
  const { clock, settle } = config;

  /** The lead that stands in the way, once the API has said that there is one. */
  const find = async (phone: string, options: CallOptions, conflict: ConflictError): Promise<Lead> => {
    const wanted = readPhone(phone);
    // Without a country there is nothing that a lead could be told by.
    const found =
      wanted === undefined
        ? []
        : await list('leads.list', { search: wanted.search }, options).all({ max: MOST_FOUND });
    const same = found.filter((lead) => {
      const phone = readPhone(lead.phone ?? '');
      // A service that keeps extensions has a lead for each.
      return phone?.digits === wanted?.digits && ['', wanted?.extension].includes(phone?.extension);
    });
    const exact = same.filter((lead) => readPhone(lead.phone ?? '')?.written === wanted?.written);
    const [match, another] = exact.length > 0 ? exact : same;
    // The service may have read an uncertain phone as another number, but as one that ends alike.
    const alike = found.filter((lead) => digitsIn(lead.phone ?? '').includes(wanted?.search ?? ''));
    const doubtful = !wanted?.certain && (alike.length > 1 || found.length === MOST_FOUND);
    if (match === undefined || another !== undefined || doubtful) {
      throw new ConflictError(
        `${conflict.message}\nleads.ensure found no lead, or more than one, with this phone. Write it with + and the country code.`,
        conflict,
      );
    }
    return match;
  };

  return async (body: LeadCreate, options: CallOptions = {}): Promise<Reply<EnsuredLead>> => {
    const { deadline, retry } = settle(operations['leads.create'], options);
    const startedAt = clock.now();
    let lost = false;
    try {
      const { answer, decode } = await exchange(
        'leads.create',
        {
          body,
          onLostAnswer: () => {
            lost = true;
          },
        },
        // A repeat that finds the lead made by an attempt before it meets the 409, and ends in the same place.
        { ...options, retry: retry && { ...retry, nonIdempotent: true } },
      );
      return { answer, decode: () => ({ lead: decode().data, created: true }) };
    } catch (conflict) {
      if (!(conflict instanceof ConflictError)) {
        throw conflict;
      }
      const { operation, attempts, status, headers, message, code } = conflict;
      // What creation left of the deadline: the two are one call.
      const left = Math.max(1, deadline - (clock.now() - startedAt));
      const life = startLifetime(clock, left, options.signal);
      let lead: Lead;
      try {
        lead = await find(body.phone, { ...options, signal: life.signal }, conflict);
      } catch (error) {
        throw life.isDeadline(error) ? deadlineError(operation, deadline, attempts) : error;
      } finally {
        life.end();
      }
      const text = JSON.stringify({ success: false, error: message, code });
      return {
        answer: { operation, attempts, status, headers, text },
        decode: () => ({ lead, created: lost ? undefined : false }),
      };
    }
  };
};
