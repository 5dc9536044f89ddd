import { randomInt } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../../../world/store/phone.ts';
import { assertEvidence } from '../evidence.ts';
import { requireHarmless } from '../harmless.ts';
import type { Service } from '../service.ts';
import { bodyOf } from '../service.ts';
import { UNKNOWN_NAME } from './invalid-input.ts';

/** The name and the source of leads that the probe creates. */
export const PROBE = 'confab-probe';

/** Counts the phones of leads, from where another run has probably not been. */
let phones = randomInt(700);

/** The body of a lead that is recognized as the probe's, with a phone that is reserved for fiction. */
export const newLead = () => {
  phones += 1;
  // Not 202, which the phones of the demo data have.
  const area = 303 + 101 * (Math.floor(phones / 100) % 7);
  const phone = `+1${area}55501${String(phones % 100).padStart(2, '0')}`;
  return { phone, displayName: PROBE, source: PROBE };
};

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
  assertEvidence(
    country !== undefined && normalizePhone(phone, country) === stored,
    'the service stores such a phone in a form that belongs to no single country',
    "Ask the service's team which country it assumes.",
  );
  return country;
};

/** Creates a lead with an unknown field. */
export const unknownBody = async (service: Service): Promise<string> => {
  const reply = await service.ask('leads.create', { body: { ...newLead(), [UNKNOWN_NAME]: true } });
  if (reply.status === 400) {
    return 'refused';
  }
  bodyOf(reply);
  return 'ignored';
};
