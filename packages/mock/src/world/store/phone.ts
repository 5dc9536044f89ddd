import type { CountryCode } from 'libphonenumber-js/min';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

export type { CountryCode };

/** What a phone is asked to be, to be told. */
export const PHONE_WANTED = 'must be in E.164 (+5511987654321) or normalizable to it';

const E164 = /^\+[1-9]\d{4,14}$/;
const PUNCTUATION = /[\s\p{Pd}().[\]/~]+/gu;

/**
 * A phone number in E.164, or `undefined` for a value that can't be brought into it.
 *
 * Numbers are checked for length, not for having been handed out: tests are full of numbers that nobody has.
 *
 * @param country Whose national format a number without `+` is in; without it, such a number is refused.
 */
export const normalizePhone = (value: string, country?: CountryCode): string | undefined => {
  let phone = normalize(value, country);
  // A prefix may hide behind another one, and what is stored must stay the same when it is read again.
  for (;;) {
    const again = phone && normalize(phone);
    if (again === undefined || again === phone) {
      return phone;
    }
    phone = again;
  }
};

/** As the parser wants it: it knows digits of any script, but no full-width `＋`, no marks of direction and no URI. */
const plain = (value: string): string =>
  value
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace('＋', '+');

const normalize = (written: string, country?: CountryCode): string | undefined => {
  const value = plain(written);
  const known = possible(value, country);
  if (known !== undefined) {
    return known;
  }
  // Of a country that the metadata do not know, with an unusual length, or in brackets that they do not expect.
  const bare = value.replace(PUNCTUATION, '');
  return E164.test(bare) ? (possible(bare) ?? bare) : undefined;
};

const possible = (value: string, country?: CountryCode): string | undefined => {
  const parsed = parsePhoneNumberFromString(value, {
    ...(country === undefined ? {} : { defaultCountry: country }),
    // Otherwise a number is fished out of any text around it.
    extract: false,
  });
  return parsed?.isPossible() ? parsed.number : undefined;
};
