import type { CountryCode } from 'libphonenumber-js/min';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The rule for a phone number, for messages. */
export const PHONE_RULE =
  'must be a phone number with + and a country code (+5511987654321), or a national one if `defaultCountry` is set';

const E164 = /^\+[1-9]\d{4,14}$/;
const PUNCTUATION = /[\s\p{Pd}().[\]/~]+/gu;

/**
 * Normalizes a phone number to E.164; returns `undefined` if it is invalid. Only the length of a number is checked, because
 * tests use unassigned numbers.
 *
 * @param country The country of a number without `+`, which is invalid without it.
 */
export const normalizePhone = (value: string, country?: string): string | undefined => {
  const bare = value.replace(PUNCTUATION, '');
  const phone =
    toE164(value.trim(), country) ??
    // For countries without metadata, unusual lengths, and unexpected brackets.
    (E164.test(bare) ? (toE164(bare) ?? bare) : undefined);
  // Normalized again, because a second prefix may follow the first, and a stored number must not change later.
  return phone === undefined || phone === value ? phone : (normalizePhone(phone) ?? phone);
};

const toE164 = (value: string, country?: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(value, {
    ...(country === undefined ? {} : { defaultCountry: country as CountryCode }),
    // Otherwise, it would find a number within a longer text.
    extract: false,
  });
  return parsed?.isPossible() ? parsed.number : undefined;
};
