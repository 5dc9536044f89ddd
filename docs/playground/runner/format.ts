import { inspect } from 'loupe';
import { MAX_CHARACTERS } from '../messages.ts';

/** Formats an error as its name and message, with its causes. */
const formatError = (error: Error, depth = 0): string => {
  const { cause } = error;
  const because = cause instanceof Error && depth < 3 ? `\n  caused by ${formatError(cause, depth + 1)}` : '';
  return `${error.name}: ${error.message}${because}`;
};

/** Removes the sign of +0, which consoles do not show. */
const stylize = (text: string): string => (text === '+0' ? '0' : text);

const formatValue = (value: unknown): string => {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof Error
    ? formatError(value)
    : inspect(value, { truncate: MAX_CHARACTERS, depth: 4, stylize });
};

/** Formats a line of output as `console.log` does. */
export const formatLine = (values: readonly unknown[]): string => {
  const text = values.map(formatValue).join(' ');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
};
