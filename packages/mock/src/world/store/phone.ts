import type { CountryCode } from 'libphonenumber-js/min';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The requirement for a phone, for messages. */
export const PHONE_RULE = 'must be in E.164 (+5511987654321) or normalizable to it';

const E164 = /^\+[1-9]\d{4,14}$/;
const PUNCTUATION = /[\s\p{Pd}().[\]/~]+/gu;

/**
 * Normalizes a phone number to E.164; `undefined` if it is invalid.
 *
 * It checks the length of numbers, and not whether they are in use: tests are full of unassigned numbers.
 *
 * @param country The country of a number without `+`. If it is missing, such a number is invalid.
 */
export const normalizePhone = (value: string, country?: string): string | undefined => {
  const bare = value.replace(PUNCTUATION, '');
  const phone =
    toE164(value.trim(), country) ??
    // A country that the metadata lacks, an unusual length, or unexpected brackets.
    (E164.test(bare) ? (toE164(bare) ?? bare) : undefined);
  // A second prefix may follow the first, and a stored number must not change when it is read again.
  return phone === undefined || phone === value ? phone : (normalizePhone(phone) ?? phone);
};

const toE164 = (value: string, country?: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(value, {
    ...(country === undefined ? {} : { defaultCountry: country as CountryCode }),
    // Otherwise it would find a number within any text.
    extract: false,
  });
  return parsed?.isPossible() ? parsed.number : undefined;
};
