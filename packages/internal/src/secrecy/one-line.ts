/**
 * Puts untrusted text on one line, because a log entry is one line. It removes characters that move a terminal's cursor
 * or reverse its text.
 *
 * @example
 * ```ts
 * oneLine('two\nlines'); // 'two lines'
 * ```
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');

/**
 * Escapes the invisible characters of a name. A byte order mark, which Excel writes at the start of a CSV file, would make a
 * wrong name look right.
 */
export const escapeInvisible = (name: string): string =>
  name.replace(/(?! )[\p{C}\p{Z}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
