/** A phone number with its country code, as a user typed it. */
export interface InternationalPhone {
  /** Country code and number as written: `4402079460958` for `+44 (0)20 7946 0958`. */
  readonly written: string;
  /** `written` without the zero that is dialed only within the country: `442079460958`. */
  readonly digits: string;
  /** Digits of the extension, which E.164 leaves out; empty for none. */
  readonly extension: string;
  /** The end of the number, which is the same in every spelling. */
  readonly search: string;
  /**
   * False after `00`, which begins a national number in some countries and selects a carrier in others, and after a
   * full-width `＋`, which some services ignore.
   */
  readonly certain: boolean;
}

/** Non-ASCII digits that keyboards type. Their low four bits are their value. */
const ARABIC_DIGITS = /[٠-٩۰-۹]/g;

/** `+` or `00`, then digits with spaces and punctuation between them, then an optional extension. */
const PHONE =
  /^(?:tel:)?[\s\p{Cf}(]*(\+|00)([\d\s\p{Pd}\p{Cf}()[\]/.−ー]+)(?:(?:[,;#x~]|ext|доб|anexo|int)[\p{L}\s,.:;=#]*(\d+)[#\s]*)?$/iu;

/**
 * A country code and the zero after it, as in `+44 (0)20`. The zero stays where the number without it may belong to
 * another person (Italy, Gabon, Ascension Island). The lookahead keeps the expression from trying a longer code: +93 70
 * is in Afghanistan, and no country has the code 937.
 */
const CODE_AND_ZERO =
  /^(?!39|24[17])(?=([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}))\1(?:0)/;

/** Number of digits to search for when the number is uncertain: every number that it might be ends in them. */
const TAIL = 6;

/** Converts full-width characters and the digits of other scripts to ASCII. */
const inAscii = (text: string): string =>
  text.normalize('NFKC').replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 15));

/** Returns all digits of a phone, including those of an extension. */
export const digitsIn = (phone: string): string => inAscii(phone).replace(/\D/g, '');

/**
 * Parses a phone that has a country code. Returns undefined for any other: only the service can interpret it, because
 * its country depends on the account.
 */
export const readPhone = (text: string): InternationalPhone | undefined => {
  const [, , number, extension = ''] = PHONE.exec(inAscii(text)) ?? [];
  const written = number?.replace(/\D/g, '');
  if (written === undefined || written.length <= TAIL) {
    return undefined;
  }
  if (!text.includes('+')) {
    return { written, digits: written, extension, search: written.slice(-TAIL), certain: false };
  }
  const [head = '', code = ''] = CODE_AND_ZERO.exec(written) ?? [];
  const rest = written.slice(head.length);
  // The service may keep or drop the zero; the digits after it are there in either case.
  return { written, digits: code + rest, extension, search: rest, certain: true };
};
