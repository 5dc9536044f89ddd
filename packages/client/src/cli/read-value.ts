import { didYouMean, UsageError } from '@confab/internal/cli';
import { preview } from '../contract/issues.ts';
import { checkShape } from './shapes/check-shape.ts';
import { whole } from './shapes/rules.ts';
import type { Shape } from './shapes/shape.ts';

const NUMBER = /^-?\d+(?:\.\d+)?$/;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads a text as a shape asks; text that does not fit stays as it is, for the check to report. */
const convert = (text: string, { type, format }: Shape): unknown => {
  if (type === 'integer' || type === 'number') {
    return NUMBER.test(text) ? Number(text) : text;
  }
  return format === 'date-time' && DAY.test(text) ? `${text}T00:00:00Z` : text;
};

const problemOf = (value: unknown, shape: Shape): string | undefined => {
  if (shape.type === 'integer' && typeof value === 'string') {
    return `${whole(shape).words}, got ${preview(value)}`;
  }
  const [issue] = checkShape(value, shape, { show: preview, most: 1 });
  return issue?.message;
};

/**
 * Turns the text of a flag or an argument into a value of the contract.
 *
 * @param label What the message calls the value: `--limit`.
 * @throws {@link UsageError} When the value does not fit.
 */
export const readValue = (label: string, text: string, shape: Shape): unknown => {
  const value = convert(text, shape);
  const problem = problemOf(value, shape);
  if (problem !== undefined) {
    const meant = didYouMean(text, shape.enum ?? []).trim();
    throw new UsageError(`${label} ${problem}.${meant && ` ${meant}`}`);
  }
  return value;
};
