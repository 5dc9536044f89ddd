/** A text from elsewhere on one line, without what moves a terminal's cursor or turns its text around: logs are lines. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
