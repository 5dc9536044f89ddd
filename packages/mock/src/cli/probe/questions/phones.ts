import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../../../world/store/phone.ts';
import type { Finding, Question } from '../finding.ts';
import { learned, unanswered, unknown } from '../finding.ts';
import type { Service } from '../service.ts';

const PUNCTUATION = 'A phone with punctuation';
const NATIONAL = 'The country of a phone without one';

const askPunctuation = async (service: Service): Promise<Finding> => {
  const lead = service.newLead();
  const phone = lead.phone.replace(/^(..)(...)(...)/, '$1 ($2) $3-');
  const reply = await service.write('leads.create', { body: { ...lead, phone } });
  if (reply.body === undefined) {
    return unanswered(PUNCTUATION, reply);
  }
  return reply.body.data.phone === lead.phone
    ? { ...learned(PUNCTUATION, ['behavior'], 'E.164', 'E.164'), options: {}, option: 'none needed' }
    : unknown(
        PUNCTUATION,
        'the service stores it in another form',
        'Nothing: the mock stores phones in E.164. Send them in that form.',
      );
};

const askNational = async (service: Service): Promise<Finding> => {
  const lead = service.newLead();
  const national = lead.phone.replace(/^..(...)(...)/, '($1) $2-');
  const reply = await service.write('leads.create', { body: { ...lead, phone: national } });
  if (reply.status === 400) {
    return { ...learned(NATIONAL, ['defaultCountry'], 'refused', 'refused'), options: {} };
  }
  if (reply.body === undefined) {
    return unanswered(NATIONAL, reply);
  }
  const stored = reply.body.data.phone ?? '';
  const { country } = parsePhoneNumberFromString(stored) ?? {};
  return country !== undefined && normalizePhone(national, country) === stored
    ? learned(NATIONAL, ['defaultCountry'], country, 'refused')
    : unknown(
        NATIONAL,
        'the service stores such a phone in a form that belongs to no single country',
        "Ask the service's team which country it assumes.",
      );
};

/** Creates a lead with a phone in punctuation, and one whose phone has no country. */
export const phones: Question = {
  topic: 'forms of phones',
  writes: true,
  ask: async (service) => [await askPunctuation(service), await askNational(service)],
};
