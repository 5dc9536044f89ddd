import { inspect } from 'loupe';
import { MAX_CHARACTERS } from '../messages.ts';

/** An error as its name and message, and the errors behind it. */
const formatError = (error: Error, depth = 0): string => {
  const { cause } = error;
  const because = cause instanceof Error && depth < 3 ? `\n  caused by ${formatError(cause, depth + 1)}` : '';
  return `${error.name}: ${error.message}${because}`;
};

/** Consoles show a zero without its sign, unless that is a minus. */
const stylize = (text: string): string => (text === '+0' ? '0' : text);

const formatValue = (value: unknown): string => {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof Error
    ? formatError(value)
    : inspect(value, { truncate: MAX_CHARACTERS, depth: 4, stylize });
};

/** The text of a line of output: arguments as `console.log` shows them. */
export const formatLine = (values: readonly unknown[]): string => {
  const text = values.map(formatValue).join(' ');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
};
