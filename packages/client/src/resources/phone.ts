/** A phone that names its country, as somebody typed it. */
export interface InternationalPhone {
  /** Country code and number as written: `4402079460958` for `+44 (0)20 7946 0958`. */
  readonly written: string;
  /** The same without the zero that is dialed only within the country: `442079460958`. */
  readonly digits: string;
  /** Digits of the extension, which E.164 leaves out; empty for none. */
  readonly extension: string;
  /** The end of the number, which every spelling of it shares. */
  readonly search: string;
  /**
   * False after `00`, which begins a national number in some countries and chooses a carrier in others, and after a
   * full-width `＋`, which some services overlook.
   */
  readonly certain: boolean;
}

/** Digits outside ASCII that keyboards type; the low four bits are their value. */
const ARABIC_DIGITS = /[٠-٩۰-۹]/g;

/** `+` or `00`; digits with spaces and punctuation between them; and perhaps an extension, which E.164 leaves out. */
const PHONE =
  /^(?:tel:)?[\s\p{Cf}(]*(\+|00)([\d\s\p{Pd}\p{Cf}()[\]/.−ー]+)(?:(?:[,;#x~]|ext|доб|anexo|int)[\p{L}\s,.:;=#]*(\d+)[#\s]*)?$/iu;

/**
 * A country code and the zero after it, as in `+44 (0)20`. Where a number without the zero may belong to somebody else
 * (Italy, Gabon, Ascension Island), it stays. The code is looked ahead for, so that it is not tried again with a
 * longer one: +93 70 is in Afghanistan, and there is no country 937.
 */
const CODE_AND_ZERO =
  /^(?!39|24[17])(?=([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}))\1(?:0)/;

/** Digits that are looked for when the number is not certain: all numbers that it might be end in them. */
const TAIL = 6;

/** With full-width characters and the digits of other scripts as ASCII. */
const inAscii = (text: string): string =>
  text.normalize('NFKC').replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 15));

/** All digits of a phone, those of an extension included. */
export const digitsIn = (phone: string): string => inAscii(phone).replace(/\D/g, '');

/**
 * Reads a phone that says which country it is in. Any other is for the service to interpret: which country it is in
 * depends on the account, so nobody else can tell whose it is.
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
  // Whether the service drops the zero as well is not known: what comes after it is there in any case.
  return { written, digits: code + rest, extension, search: rest, certain: true };
};
