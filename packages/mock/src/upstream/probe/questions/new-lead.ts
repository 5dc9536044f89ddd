import { randomInt } from 'node:crypto';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { normalizePhone } from '../../../world/store/phone.ts';
import { assertEvidence } from '../evidence.ts';
import { requireHarmless } from '../require-harmless.ts';
import type { Service } from '../service.ts';
import { bodyOf } from '../service.ts';
import { UNKNOWN_NAME } from './invalid-input.ts';

/** The name and the source of leads that the probe creates. */
export const PROBE = 'confab-probe';

/** Counts the phone numbers, from a random start, so that two runs probably use different ones. */
let phones = randomInt(700);

/** Builds the body of a lead that can be recognized as the probe's, with a phone number that is reserved for fiction. */
export const buildLead = () => {
  phones += 1;
  // Not 202, the area of the demo data.
  const area = 303 + 101 * (Math.floor(phones / 100) % 7);
  const phone = `+1${area}55501${String(phones % 100).padStart(2, '0')}`;
  return { phone, displayName: PROBE, source: PROBE };
};

/** Creates a lead without a source, and reads the source that the service gave it. */
export const defaultSource = async (service: Service): Promise<string> => {
  const { source: _, ...body } = buildLead();
  const { data } = await service.read('leads.create', { body });
  return requireHarmless(data.source, service);
};

/** Creates a lead whose phone number has no country code. */
export const defaultCountry = async (service: Service): Promise<string | undefined> => {
  const lead = buildLead();
  const phone = lead.phone.replace(/^..(...)(...)/, '($1) $2-');
  const reply = await service.ask('leads.create', { body: { ...lead, phone } });
  if (reply.status === 400) {
    return undefined;
  }
  const stored = bodyOf(reply).data.phone ?? '';
  const { country } = parsePhoneNumberFromString(stored) ?? {};
  assertEvidence(
    country !== undefined && normalizePhone(phone, country) === stored,
    'the service stores such a phone number in a format that belongs to no single country',
    "Ask the service's team which country it assumes.",
  );
  return country;
};

/** Creates a lead with an unknown field. */
export const unknownBody = async (service: Service): Promise<string> => {
  const reply = await service.ask('leads.create', { body: { ...buildLead(), [UNKNOWN_NAME]: true } });
  if (reply.status === 400) {
    return 'refused';
  }
  bodyOf(reply);
  return 'ignored';
};
