import { typeName } from '@confab/internal';

/** Characters of a value in a message. */
const SHOWN = 100;

const textOf = (value: unknown): string => {
  if (typeof value === 'bigint') {
    return `${value}n`;
  }
  if (typeof value === 'function' || typeof value === 'symbol') {
    return typeName(value);
  }
  try {
    return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  } catch {
    return typeName(value);
  }
};

/** A received value for a message: as JSON, so that the text "500" does not look like the number. */
export const shown = (value: unknown, most = SHOWN): string => {
  const text = textOf(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
};
