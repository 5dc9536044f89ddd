/** A phone with its country code. */
export interface InternationalPhone {
  /** The digits that the service may keep for it, the most literal first. */
  readonly forms: readonly string[];
  /** The end of the number, which is the same in every form. */
  readonly search: string;
}

/** `+`, then digits with spaces and punctuation between them. Copied phone numbers may contain invisible characters. */
const INTERNATIONAL = /^[\s\p{Cf}(]*\+[\d\s\p{Pd}\p{Cf}()[\]/.]+$/u;

/**
 * A country code before the zero of `+44 (0)20`, which is dialed only within the country. In Italy, Gabon and on Ascension
 * Island, the zero stays: the number without it may belong to another person.
 */
const CODE = /^\D*(?!39|24[17])\d{1,3}\D*$/;

/** Digits of the shortest number: fewer would find half of an account. */
const MIN_DIGITS = 7;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Reads a phone that has a country code. Returns undefined for any other: only the service can interpret it, because its
 * country depends on the account.
 */
export const readPhone = (phone: string): InternationalPhone | undefined => {
  const digits = digitsOf(phone);
  if (!INTERNATIONAL.test(phone) || digits.length < MIN_DIGITS) {
    return undefined;
  }
  const [code = '', number] = phone.split('(0)');
  return number !== undefined && CODE.test(code)
    ? { forms: [digits, digitsOf(code + number)], search: digitsOf(number) }
    : { forms: [digits], search: digits };
};
