import { typeName } from '@confab/internal';
import type { LeadCreate } from '../contract/types.ts';
import { InvalidRequestError } from '../errors/index.ts';

/** What may be between the digits. U+2212 is the minus sign. */
const PUNCTUATION = '\\s\\p{Pd}\\p{Cf}\\u2212~()[\\]/.';

/** `ext. 12`, `x12`, `;ext=12`, `,,12#`. */
const EXTENSION =
  '(?:[\\s;,-]*(?:e?xt(?:ensi[oó]n|n)?|x|#|int|anexo|ramal|доб)|\\s*[;,])[\\s.:=,]*\\d{1,7}#?';

/**
 * A number with `+` or `00` as people, CRMs and spreadsheets write it: perhaps words or quotes, then the digits, an
 * extension and a remark in brackets.
 */
const WRITTEN = new RegExp(
  `^[^\\d+]*(?:\\+|(?=00))([\\d${PUNCTUATION}]+?)(?:${EXTENSION})?(?:\\s*\\([^\\d()]*\\))?[\\s\\p{Cf};,."']*$`,
  'iu',
);

/** A longer text is no phone, and would take long to match. */
const MAX_LENGTH = 100;

/** `001` is left out, because it begins calls to any country in parts of Asia. So are numbers that are too short. */
const AFTER_00 = /^00(?=[2-9]\d{6})/;

/**
 * A country code, and the 0 that is dialed before a number within the country. In countries whose numbers may begin with
 * 0, and in Hungary, which dials 06, the 0 stays.
 */
const TRUNK_ZERO =
  /^(?!36|39|47|22[5679]|24[127]|250|268|378|501|687|853|992)(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|2[1-689]\d|3[578]\d|42\d|5[09]\d|6[7-9]\d|8[058]\d|9[679]\d)0(?=[1-9]\d{3})/;

/** A mobile number of Argentina as it is dialed there: the area, then 15. From abroad it is 9, then the area. */
const ARGENTINE_MOBILE = /^549?(?:(11)15(\d{8})|([23]\d\d)15(\d{7})|([23]\d{3})15(\d{6}))$/;

/** Signs of a second number, often written by its last digits alone: `+44 20 7946 0958 / 59`. */
const SECOND_NUMBER = [
  // What is before the slash or brackets is longer than a country code and an area.
  /^(?:[^\d/]*\d){8,}[^\d/]*\/\D*\d|^(?:\D*\d){8,}\D*\(\d+\)\D*$|^(?:\D*\d){11,}\D*\/\D*\d/,
  // What is before the hyphen is a whole number, or what follows is shorter than the end of one. Some end in `-34-56` or
  // `-345-67`. In Germany and Austria, an extension follows a hyphen.
  /^(?!\D*4[39])(?:(?:\D*\d){11,}\D*-\d{3}|(?:\D*\d){12,}\D*-\d|.*[-/]\d\D*$|.*(?:\d{4}|[^\d/-]\d{1,3})[-/]\d\d\D*$)/s,
];

/** A number in E.164. Shorter ones would find half of an account. */
const E164 = /^\+[1-9]\d{5,14}$/;

const isE164 = (phone: unknown): phone is string => typeof phone === 'string' && E164.test(phone);

/**
 * Returns a phone that has a country code in E.164. Returns undefined for any other, which only the
 * service can read: its country depends on the account. Returns undefined for a text that may contain two numbers, too.
 */
const toE164 = (phone: unknown): string | undefined => {
  if (typeof phone !== 'string' || phone.length > MAX_LENGTH) {
    return undefined;
  }
  const ascii = phone
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    // Arabic and Persian digits.
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
 * Returns the phone of a lead in E.164; undefined if only the service can read it.
 *
 * @throws {@link InvalidRequestError} When `normalizePhone` returns anything else.
 */
export const phoneInE164 = (
  body: LeadCreate | undefined | null,
  normalizePhone: ((phone: string) => string | undefined) | undefined,
): string | undefined => {
  // The contract says what is wrong with a body without a phone.
  const { phone } = Object(body);
  if (typeof phone !== 'string' || normalizePhone === undefined) {
    return toE164(phone);
  }
  const normalized = normalizePhone(phone);
  if (!isE164(normalized)) {
    const what = typeof normalized === 'string' ? 'another text' : typeName(normalized);
    const message = `must be in E.164, such as +442079460958: \`normalizePhone\` returned ${what}`;
    throw new InvalidRequestError('leads.create', [{ path: 'phone', message }], 'leads.ensure');
  }
  return normalized;
};
