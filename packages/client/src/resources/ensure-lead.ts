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

/**
 * Whether a stored phone can be what the service made of the one that was sent: the same digits, or, when no
 * country code was sent, the same number with one in front and without trunk zeros.
 */
const isSamePhone = (stored: string | null, sent: string): boolean => {
  if (stored === null) return false;
  const [have, want] = [digitsOf(stored), digitsOf(sent)];
  if (have === want) return true;
  const national = want.replace(/^0+/, '');
  return !sent.trim().startsWith('+') && national !== '' && have.endsWith(national);
};

export const createEnsureLead = (config: Config, { exchange }: Requester, list: Lister) => {
  const find = async (phone: string, options: CallOptions): Promise<Lead[]> => {
    const found: Lead[] = [];
    // The run of digits that all ways of writing the number share.
    const search = digitsOf(phone).replace(/^0+/, '');
    for await (const lead of list('leads.list', { search }, options)) {
      if (isSamePhone(lead.phone, phone)) found.push(lead);
    }
    return found;
  };

  return async (body: LeadCreate, options: CallOptions = {}): Promise<Reply<EnsuredLead>> => {
    const { deadline } = config.settle(operations['leads.create'], options);
    const life = startLifetime(config.clock, deadline, options.signal);
    const inner = { ...options, signal: life.signal };
    // A repeat that finds the lead made by an attempt before it meets the 409, and ends in the same place.
    const retry = options.retry === false ? false : { ...options.retry, unsafe: true };
    const create = async (): Promise<Reply<EnsuredLead>> => {
      const { answer, decode } = await exchange('leads.create', { body }, { ...inner, retry });
      return { answer, decode: () => ({ lead: decode().data, created: true }) };
    };
    const findInstead = async (conflict: unknown): Promise<Reply<EnsuredLead>> => {
      if (!(conflict instanceof ConflictError)) throw conflict;
      const [lead, another] = await find(body.phone, inner);
      // With two candidates the phone does not tell which: better to stop than to take the wrong person.
      if (lead === undefined || another !== undefined) throw conflict;
      const { operation, attempts, status, headers, message, code } = conflict;
      const text = JSON.stringify({ success: false, error: message, code });
      return {
        answer: { operation, attempts, status, headers, text },
        decode: () => ({ lead, created: false }),
      };
    };

    try {
      return await create().catch(findInstead);
    } catch (error) {
      throw life.isDeadline(error) ? deadlineError('leads.create', deadline, 1) : error;
    } finally {
      life.end();
    }
  };
};
