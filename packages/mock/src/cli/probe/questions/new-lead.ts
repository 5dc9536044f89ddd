import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../../../world/store/phone.ts';
import { rule } from '../finding.ts';
import { NoAnswer } from '../no-answer.ts';
import { bodyOf } from '../service.ts';

/** Creates a lead without a source, and reads the one that it got. */
const defaultSource = rule({
  question: 'Source of a lead without one',
  path: ['behavior', 'source'],
  writes: true,
  async ask(service) {
    const { source: _, ...body } = service.newLead();
    const { source } = (await service.need('leads.create', { body })).data;
    return service.harmless(source);
  },
});

/** Creates a lead with a phone in punctuation. */
const punctuation = rule({
  question: 'A phone with punctuation',
  path: ['defaultCountry'],
  preset: 'E.164',
  writes: true,
  async ask(service) {
    const lead = service.newLead();
    const phone = lead.phone.replace(/^(..)(...)(...)/, '$1 ($2) $3-');
    const { data } = await service.need('leads.create', { body: { ...lead, phone } });
    if (data.phone !== lead.phone) {
      throw new NoAnswer(
        'the service stores it in another form',
        'Nothing: the mock stores phones in E.164. Send them in that form.',
      );
    }
  },
});

/** Creates a lead whose phone has no country. */
const national = rule({
  question: 'The country of a phone without one',
  path: ['defaultCountry'],
  preset: 'refused',
  writes: true,
  async ask(service) {
    const lead = service.newLead();
    const phone = lead.phone.replace(/^..(...)(...)/, '($1) $2-');
    const reply = await service.ask('leads.create', { body: { ...lead, phone } });
    if (reply.status === 400) {
      return undefined;
    }
    const stored = bodyOf(reply).data.phone ?? '';
    const { country } = parsePhoneNumberFromString(stored) ?? {};
    if (country === undefined || normalizePhone(phone, country) !== stored) {
      throw new NoAnswer(
        'the service stores such a phone in a form that belongs to no single country',
        "Ask the service's team which country it assumes.",
      );
    }
    return country;
  },
});

/** What becomes of a lead that is created. */
export const newLead = [defaultSource, punctuation, national];
