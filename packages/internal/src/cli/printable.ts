/**
 * Characters that control a terminal or reorder its text. Joiners are part of emoji and of several scripts, so they are
 * kept.
 */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes characters that could forge a line or control the terminal, because a service may pass on text from strangers.
 * The escapes are those of JSON, so JSON keeps its meaning.
 *
 * @example
 * ```ts
 * printable('\u001b[2J'); // '\\u001b[2J'
 * ```
 */
export const printable = (line: string): string =>
  line.replaceAll(UNPRINTABLE, (found) => found.split('').map(escapeUnit).join(''));
