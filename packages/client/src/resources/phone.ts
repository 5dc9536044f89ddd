/** `+`, then digits with spaces and punctuation between them. Some of what a phone is copied with is invisible. */
const INTERNATIONAL = /^[\s\p{Cf}(]*\+[\d\s\p{Pd}\p{Cf}()[\]/.]+$/u;

/** Digits of the shortest number: fewer would find half of an account. */
const MIN_DIGITS = 7;

/**
 * Returns the digits of a phone that has a country code: `442079460958` for `+44 20 7946-0958`. Returns undefined for any
 * other: only the service can interpret it, because its country depends on the account.
 */
export const phoneDigits = (phone: string): string | undefined => {
  const digits = phone.replace(/\D/g, '');
  return INTERNATIONAL.test(phone) && digits.length >= MIN_DIGITS ? digits : undefined;
};
