import { typeName } from '@confab/internal';
import type { LeadCreate } from '../contract/types.ts';
import { InvalidRequestError } from '../errors/index.ts';

/** The characters that may be between the digits. U+2212 is the minus sign. */
const PUNCTUATION = '\\s\\p{Pd}\\p{Cf}\\u2212~()[\\]/.';

/** `ext. 12`, `x12`, `;ext=12`, `,,12#`. */
const EXTENSION =
  '(?:[\\s;,-]*(?:e?xt(?:ensi[oó]n|n)?|x|#|int|anexo|ramal|доб)|\\s*[;,])[\\s.:=,]*\\d{1,7}#?';

/**
 * Matches a number with `+` or `00` as people, CRMs and spreadsheets write it: optional words or quotes, then the
 * digits, an optional extension, and an optional remark in brackets.
 */
const WRITTEN = new RegExp(
  `^[^\\d+]*(?:\\+|(?=00))([\\d${PUNCTUATION}]+?)(?:${EXTENSION})?(?:\\s*\\([^\\d()]*\\))?[\\s\\p{Cf};,."']*$`,
  'iu',
);

/** A longer text is not a phone number, and would take long to match. */
const MAX_LENGTH = 100;

/**
 * Matches the prefix `00`. It does not match `001`, with which calls to any country begin in parts of Asia, or numbers
 * that are too short.
 */
const AFTER_00 = /^00(?=[2-9]\d{6})/;

/**
 * Matches a country code and the trunk 0, which is dialed only within the country. It does not match the codes of
 * countries whose numbers may begin with 0, or of Hungary, where the trunk prefix is 06: there, the 0 stays.
 */
const TRUNK_ZERO =
  /^(?!36|39|47|22[5679]|24[127]|250|268|378|501|687|853|992)(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[058]\d|9[679]\d)0(?=[1-9]\d{3})/;

/**
 * An Argentine mobile number as dialed within the country: area code, then 15. From abroad, it is 9, then the area
 * code.
 */
const ARGENTINE_MOBILE = /^549?(?:(11)15(\d{8})|([23]\d\d)15(\d{7})|([23]\d{3})15(\d{6}))$/;

/** Patterns of texts with a second number, which is often shortened to its last digits: `+44 20 7946 0958 / 59`. */
const SECOND_NUMBER = [
  // The part before the slash or brackets is longer than a country code and an area code.
  /^(?:[^\d/]*\d){8,}[^\d/]*\/\D*\d|^(?:\D*\d){8,}\D*\(\d+\)\D*$|^(?:\D*\d){11,}\D*\/\D*\d/,
  // The part before the hyphen is a whole number, or the part after it is too short to be the end of a number. Some
  // numbers end in `-34-56` or `-345-67`. In Germany and Austria, a hyphen precedes an extension.
  /^(?!\D*4[39])(?:(?:\D*\d){11,}\D*-\d{3}|(?:\D*\d){12,}\D*-\d|.*[-/]\d\D*$|.*(?:\d{4}|[^\d/-]\d{1,3})[-/]\d\d\D*$)/s,
];

/** A number in E.164. The search for a shorter one would match half of the leads of an account. */
const E164 = /^\+[1-9]\d{5,14}$/;

const isE164 = (phone: unknown): phone is string => typeof phone === 'string' && E164.test(phone);

/**
 * Converts a phone number with a country code to E.164. Returns undefined for a number without one, which only the
 * service can read, because its country depends on the account, and for a text that may contain two numbers.
 */
const toE164 = (phone: unknown): string | undefined => {
  if (typeof phone !== 'string' || phone.length > MAX_LENGTH) {
    return undefined;
  }
  const ascii = phone
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    // Arabic and Persian digits are converted to ASCII.
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
  const [, written = ''] = WRITTEN.exec(ascii) ?? [];
  const hyphenated = written.replace(/^00|\(0\)/g, '').replace(/\s*[\p{Pd}\u2212~]\s*/gu, '-');
  if (SECOND_NUMBER.some((pattern) => pattern.test(hyphenated))) {
    return undefined;
  }
  const digits = written.replace(/\D/g, '').replace(AFTER_00, '');
  const e164 = `+${digits.replace(TRUNK_ZERO, '$1').replace(ARGENTINE_MOBILE, '549$1$2$3$4$5$6')}`;
  return isE164(e164) ? e164 : undefined;
};

/**
 * Returns the phone number of a lead in E.164; undefined if only the service can read it.
 *
 * @throws An {@link InvalidRequestError} when `normalizePhone` returns something that is not a number in E.164.
 */
export const phoneInE164 = (
  body: LeadCreate | undefined | null,
  normalizePhone: ((phone: string) => string | undefined) | undefined,
): string | undefined => {
  // The contract's check reports a body without a phone number.
  const { phone } = Object(body);
  if (typeof phone !== 'string' || normalizePhone === undefined) {
    return toE164(phone);
  }
  const normalized = normalizePhone(phone);
  if (!isE164(normalized)) {
    const what = typeof normalized === 'string' ? 'a different text' : typeName(normalized);
    const message = `must be in E.164, such as +442079460958: \`normalizePhone\` returned ${what}`;
    throw new InvalidRequestError('leads.create', [{ path: 'phone', message }], 'leads.ensure');
  }
  return normalized;
};
