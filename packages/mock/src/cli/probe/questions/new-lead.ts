import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../../../world/store/phone.ts';
import { demand } from '../evidence.ts';
import { requireHarmless } from '../harmless.ts';
import type { Service } from '../service.ts';
import { bodyOf, newLead } from '../service.ts';

/** Creates a lead without a source, and reads the one that it got. */
export const defaultSource = async (service: Service): Promise<string> => {
  const { source: _, ...body } = newLead();
  const { data } = await service.need('leads.create', { body });
  return requireHarmless(data.source, service);
};

/** Creates a lead whose phone has no country. */
export const defaultCountry = async (service: Service): Promise<string | undefined> => {
  const lead = newLead();
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
};
