import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../../../world/store/phone.ts';
import { demand } from '../evidence.ts';
import { requireHarmless } from '../harmless.ts';
import type { Question } from '../question.ts';
import { bodyOf } from '../reply.ts';

/** Creates a lead without a source, and reads the one that it got. */
const defaultSource: Question = {
  text: 'Source of a lead created without one',
  option: ['behavior', 'source'],
  writes: true,
  async ask(service) {
    const { source: _, ...body } = service.newLead();
    const { data } = await service.need('leads.create', { body });
    return requireHarmless(data.source, service);
  },
};

/** Creates a lead whose phone has no country. */
const national: Question = {
  text: 'Country of a phone without a country code',
  option: ['defaultCountry'],
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
    demand(
      country !== undefined && normalizePhone(phone, country) === stored,
      'the service stores such a phone in a form that belongs to no single country',
      "Ask the service's team which country it assumes.",
    );
    return country;
  },
};

/** What becomes of a lead that is created. */
export const newLead = [defaultSource, national];
