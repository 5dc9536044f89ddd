import type { OperationId } from '@confab/client/contract';
import { describeIssues, operations } from '@confab/client/contract';
import { closestName, typeName, unknownNames } from '@confab/internal';
import type * as z from 'zod/mini';
import { invalidArgument } from './mock-error.ts';

/** Characters of a value in a message. */
const MAX_SHOWN_LENGTH = 100;

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
export const shown = (value: unknown, maxLength = MAX_SHOWN_LENGTH): string => {
  const text = textOf(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

/** A number with its noun: `1 lead`, `2 leads`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

/**
 * Describes what is wrong with a value that came as JSON, in one line.
 *
 * @param name What messages call the value: `body`.
 */
export const jsonProblems = (error: z.core.$ZodError, value: unknown, name: string): string =>
  describeIssues(error, value, name)
    // JSON has no undefined: the field is missing.
    .map(({ path, message }) => `${path} ${message.endsWith(', got undefined') ? 'is required' : message}`)
    .join('; ');

/**
 * Refuses misspelled names, which would otherwise be ignored silently.
 *
 * @param kind What a name is called: `option of createMock()`.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a name is unknown, or the value is not an object.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void => {
  const problem = unknownNames(kind, given, known);
  if (problem !== undefined) {
    throw invalidArgument(problem);
  }
};

/**
 * Refuses a word that is not one of a few.
 *
 * @param kind What the word is called: `clock`.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is any other value.
 */
export const checkWord = (kind: string, given: unknown, known: readonly string[]): void => {
  if (known.some((word) => word === given)) {
    return;
  }
  const meant = typeof given === 'string' ? closestName(given, known) : undefined;
  const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(meant)}?`;
  throw invalidArgument(`Unknown ${kind} ${JSON.stringify(given) ?? String(given)}. ${hint}`);
};

/** 100 years: a longer wait would leave the calendar of the clock, and never end. */
const MAX_WAIT = 100 * 365.25 * 24 * 60 * 60 * 1000;

/**
 * Checks a number of milliseconds to wait.
 *
 * @param name What messages call it: `` `latency` ``.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is negative, longer than 100 years, or no number.
 */
export const checkWait = (name: string, ms: number): void => {
  if (typeof ms === 'number' && ms > MAX_WAIT) {
    throw invalidArgument(`${name} must be milliseconds (at most 100 years), got ${shown(ms)}`);
  }
  if (!(typeof ms === 'number' && ms >= 0)) {
    throw invalidArgument(`${name} must be milliseconds (0 or more), got ${shown(ms)}`);
  }
};

/**
 * Checks a whole number.
 *
 * @param name What messages call it: `` `limit` ``.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a whole number within the bounds.
 */
export const checkInteger = (
  name: string,
  value: number,
  min: number,
  max = Number.POSITIVE_INFINITY,
): void => {
  if (Number.isInteger(value) && value >= min && value <= max) {
    return;
  }
  const bounds = max === Number.POSITIVE_INFINITY ? `(${min} or more)` : `from ${min} to ${max}`;
  throw invalidArgument(`${name} must be a whole number ${bounds}, got ${shown(value)}`);
};

/** The names of all operations. */
export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** Methods of the client that look like operations, but call others. */
const COMPOSED = ['leads.ensure', 'leads.ensureMany'];

/** @throws {@link MockError} `INVALID_ARGUMENT`, when no operation has this name. */
export const checkOperation = (operation: unknown, others: readonly string[] = []): void => {
  if (COMPOSED.some((method) => method === operation)) {
    throw invalidArgument(
      `Unknown operation ${JSON.stringify(operation)}: this method of the client calls leads.create, and leads.list after a 409. Did you mean "leads.create"?`,
    );
  }
  checkWord('operation', operation, [...OPERATION_IDS, ...others]);
};
