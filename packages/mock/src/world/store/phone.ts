import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { CountryCode } from './country-code.ts';

/** The requirement for a phone, for messages. */
export const PHONE_WANTED = 'must be in E.164 (+5511987654321) or normalizable to it';

const E164 = /^\+[1-9]\d{4,14}$/;
const PUNCTUATION = /[\s\p{Pd}().[\]/~]+/gu;

/**
 * Normalizes a phone number to E.164; `undefined` if it is invalid.
 *
 * It checks the length of numbers, and not whether they are in use: tests are full of unassigned numbers.
 *
 * @param country The country of a number without `+`. If it is missing, such a number is invalid.
 */
export const normalizePhone = (value: string, country?: CountryCode): string | undefined => {
  let phone = normalize(value, country);
  // A second prefix may follow the first, and a stored number must not change when it is read again.
  for (;;) {
    const again = phone && normalize(phone);
    if (again === undefined || again === phone) {
      return phone;
    }
    phone = again;
  }
};

const normalize = (value: string, country?: CountryCode): string | undefined => {
  const known = possible(value.trim(), country);
  if (known !== undefined) {
    return known;
  }
  // A country that the metadata lacks, an unusual length, or unexpected brackets.
  const bare = value.replace(PUNCTUATION, '');
  return E164.test(bare) ? (possible(bare) ?? bare) : undefined;
};

const possible = (value: string, country?: CountryCode): string | undefined => {
  const parsed = parsePhoneNumberFromString(value, {
    ...(country === undefined ? {} : { defaultCountry: country }),
    // Otherwise it would find a number within any text.
    extract: false,
  });
  return parsed?.isPossible() ? parsed.number : undefined;
};
