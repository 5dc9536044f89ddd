/**
 * Characters that control a terminal or reorder its text. Joiners are part of emoji and of several scripts, so they are
 * kept.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes characters that could forge a line or command the terminal, as JSON does. What a service sends may come from
 * strangers. Escaped JSON is still the same JSON.
 *
 * @example
 * ```ts
 * printable('\u001b[2J'); // '\\u001b[2J'
 * ```
 */
export const printable = (line: string): string =>
  line.replaceAll(UNPRINTABLE, (found) => found.split('').map(escapeUnit).join(''));
