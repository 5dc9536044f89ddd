import { UsageError } from '@confab/internal/cli';
import type { CountryCode } from 'libphonenumber-js/min';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { formatNumber } from '../print.ts';

/** @throws {@link UsageError} When the country does not exist. */
export const readCountry = (text: string): CountryCode => {
  const country = text.toUpperCase();
  if (!isSupportedCountry(country)) {
    throw new UsageError(`--country must be two letters, such as BR, got ${JSON.stringify(text)}.`);
  }
  return country;
};

export const createNormalizer = (country: CountryCode | undefined) =>
  country &&
  ((phone: string): string | undefined => {
    const parsed = parsePhoneNumberFromString(phone.replace(/^\s*00/, '+'), country);
    return parsed?.isValid() ? parsed.number : undefined;
  });

/** Returns true if a phone number begins with neither `+` nor `00`. */
export const lacksCountry = (phone: unknown): boolean => /^(?!\D*00)[^+]*\d[^+]*$/.test(String(phone));

/** Says what to do about phone numbers without a country code; empty if there are none. */
export const countryHint = (count: number, exception = ''): string => {
  const phones = count === 1 ? 'phone number has' : 'phone numbers have';
  return count === 0
    ? ''
    : `${formatNumber(count)} ${phones} no country code. Pass --country, such as --country DE${exception}.\n`;
};
