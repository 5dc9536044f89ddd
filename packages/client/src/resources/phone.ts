/** `+`, then digits with spaces and punctuation between them. Copied phone numbers may contain invisible characters. */
const INTERNATIONAL = /^[\s\p{Cf}(]*\+[\d\s\p{Pd}\p{Cf}()[\]/.]+$/u;

/** Digits of the shortest number: fewer would find half of an account. */
const MIN_DIGITS = 7;

/**
 * Returns the digits of a phone that has a country code. Returns undefined for any other: only the service can interpret
 * it, because its country depends on the account.
 */
export const digitsOf = (phone: string): string | undefined => {
  const digits = phone.replace(/\D/g, '');
  return INTERNATIONAL.test(phone) && digits.length >= MIN_DIGITS ? digits : undefined;
};
