import { UsageError } from '@confab/internal/cli';
import type { CountryCode } from 'libphonenumber-js/min';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { formatNumber } from '../print.ts';
import type { Row } from './read-rows.ts';

/** The value of `--country`; `none` sends phone numbers without a country code as they are. */
export type Country = CountryCode | 'none';

/** Maximum number of lines to name in a message. */
const MAX_LINES = 5;

/** @throws A {@link UsageError} when the country code does not exist. */
export const readCountry = (text: string): Country => {
  if (text.toLowerCase() === 'none') {
    return 'none';
  }
  const country = text.toUpperCase();
  if (!isSupportedCountry(country)) {
    throw new UsageError(
      `--country must be a country code or none. ${JSON.stringify(text)} is not a known country code (ISO 3166).`,
    );
  }
  return country;
};

export const createNormalizer = (country: Country | undefined) =>
  country === undefined || country === 'none'
    ? undefined
    : (phone: string): string | undefined => {
        const parsed = parsePhoneNumberFromString(phone.replace(/^\s*00/, '+'), country);
        return parsed?.isValid() ? parsed.number : undefined;
      };

/** Returns true if the phone number of a row begins with neither `+` nor `00`. */
export const lacksCountry = ({ lead }: Row): boolean => /^(?!\D*00)[^+]*\d[^+]*$/.test(String(lead.phone));

/** Refuses phone numbers without a country code. */
export const lackingCountryError = (file: string, lines: readonly number[]): UsageError => {
  const first = lines.slice(0, MAX_LINES).join(', ');
  const more = lines.length > MAX_LINES ? ` and ${formatNumber(lines.length - MAX_LINES)} more` : '';
  const subject =
    lines.length === 1 ? `Line ${first} has a phone number` : `Lines ${first}${more} have phone numbers`;
  return new UsageError(
    `Cannot import ${file}: ${subject} without a country code. Pass the country, such as DE, or none to send them as they are, if the account has a default country:`,
    // Without the quotes, a shell would read the brackets as redirections.
    ['--country "<code>"', '--country none'],
  );
};
