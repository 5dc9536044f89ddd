/**
 * Puts untrusted text on one line, because a log entry is a line. It removes characters that move a terminal's cursor or
 * reverse its text.
 *
 * @example
 * ```ts
 * oneLine('two\nlines'); // 'two lines'
 * ```
 */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
