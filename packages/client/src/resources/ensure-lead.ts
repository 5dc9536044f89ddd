import type { Reply } from '../api-promise.ts';
import type { Config } from '../config.ts';
import type { Lead, LeadCreate } from '../contract/index.ts';
import { operations } from '../contract/index.ts';
import { deadlineError } from '../deadline-error.ts';
import { ConflictError } from '../errors/index.ts';
import { startLifetime } from '../lifetime.ts';
import type { CallOptions } from '../options.ts';
import type { Requester } from '../requester.ts';
import type { Lister } from './lister.ts';

/** What `leads.ensure` resolves with. */
export interface EnsuredLead {
  readonly lead: Lead;
  readonly created: boolean;
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

/** Fewer digits than the shortest numbers within a country have tell nothing. */
const LEAST_DIGITS = 7;

/**
 * The leads that can have a phone: those with the same digits, or, when no country code was sent, those with one in
 * front and without trunk zeros.
 */
const matching = (leads: readonly Lead[], phone: string): Lead[] => {
  const wanted = digitsOf(phone);
  const exact = leads.filter((lead) => digitsOf(lead.phone ?? '') === wanted);
  const national = wanted.replace(/^0+/, '');
  if (exact.length > 0 || phone.trim().startsWith('+') || national.length < LEAST_DIGITS) return exact;
  return leads.filter((lead) => digitsOf(lead.phone ?? '').endsWith(national));
};

export const createEnsureLead = (config: Config, { exchange }: Requester, list: Lister) => {
  const { clock, settle } = config;

  /** The lead that stands in the way, once the API has said that there is one. */
  const find = async (
    phone: string,
    options: CallOptions,
    deadline: number,
    conflict: ConflictError,
  ): Promise<Lead> => {
    // The run of digits that all ways of writing the number share.
    const search = digitsOf(phone).replace(/^0+/, '');
    if (search === '') throw conflict;
    const life = startLifetime(clock, deadline, options.signal);
    try {
      const found = await list('leads.list', { search }, { ...options, signal: life.signal }).all();
      const [lead, another] = matching(found, phone);
      // With two candidates the phone does not tell which: better to stop than to take the wrong person.
      if (lead === undefined || another !== undefined) throw conflict;
      return lead;
    } catch (error) {
      throw life.isDeadline(error) ? deadlineError('leads.create', deadline, conflict.attempts) : error;
    } finally {
      life.end();
    }
  };

  return async (body: LeadCreate, options: CallOptions = {}): Promise<Reply<EnsuredLead>> => {
    const { deadline, retry } = settle(operations['leads.create'], options);
    const startedAt = clock.now();
    try {
      const { answer, decode } = await exchange(
        'leads.create',
        { body },
        // A repeat that finds the lead made by an attempt before it meets the 409, and ends in the same place.
        { ...options, retry: retry && { ...retry, nonIdempotent: true } },
      );
      return { answer, decode: () => ({ lead: decode().data, created: true }) };
    } catch (conflict) {
      if (!(conflict instanceof ConflictError)) throw conflict;
      const left = Math.max(1, deadline - (clock.now() - startedAt));
      const lead = await find(body.phone, options, left, conflict);
      const { operation, attempts, status, headers, message, code } = conflict;
      const text = JSON.stringify({ success: false, error: message, code });
      return {
        answer: { operation, attempts, status, headers, text },
        decode: () => ({ lead, created: false }),
      };
    }
  };
};
