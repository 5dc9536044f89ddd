import { printable } from '@confab/internal/cli';

/** Characters of a value that are looked at. More don't fit a terminal, and a stranger chooses how long a value is. */
const LONGEST = 1_000;

/** A value on one line. */
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.slice(0, LONGEST).replaceAll(/\s*[\r\n]+\s*/g, ' '));
};
