import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { checkThat as checkValue, closestName, objectOf, typeName, unknownNames } from '@confab/internal';
import { invalidArgument } from './mock-error.ts';

// Both types repeat those of the internal package, which the published declarations must not import.

/** Describes what is wrong with the value of an option; undefined if nothing is. */
export type Check = (name: string, value: unknown) => string | undefined;

/** One check for each option. The compiler refuses a list with a name too many or too few. */
export type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

/** How many characters of a value a message shows. */
const MAX_SHOWN_LENGTH = 100;

const toText = (value: unknown): string => {
  const type = typeName(value);
  try {
    if (/^an? (?:object|array|string)$/.test(type)) {
      return JSON.stringify(value);
    }
  } catch {}
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : type;
};

/** Formats a received value for a message, as JSON, so that the string "500" does not look like the number. */
export const formatValue = (value: unknown, maxLength = MAX_SHOWN_LENGTH): string => {
  const text = toText(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
};

/** Accepts an admin token. Messages do not show it. */
export const isAdminToken: Check = (name, token) => {
  if (typeof token !== 'string') {
    return `\`${name}\` must be a string, got ${typeName(token)}.`;
  }
  if (token.trim() === '') {
    return `\`${name}\` must not be empty. Is its environment variable set?`;
  }
  // A header loses the spaces around its value, and cannot hold most of Unicode.
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : `\`${name}\` must consist of visible ASCII characters without spaces, because it is sent in a header.`;
};

/** Removes the user name and password from a URL, for a message. */
const withoutPassword = (url: string): string => url.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/?#]*@/i, '$1…@');

/**
 * Accepts http and https URLs without a user name and a password, because `fetch` refuses those.
 *
 * @param more Other parts that the URL must not have: `, query or fragment`.
 */
export const isUrl =
  (more = '', holds: (url: URL) => boolean = () => true): Check =>
  (name, value) => {
    // Other values may not be convertible to a string.
    const isText = typeof value === 'string' || value instanceof URL;
    const url = isText ? URL.parse(String(value)) : null;
    const given = isText ? withoutPassword(String(value)) : value;
    const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
    return isHttp && holds(url)
      ? undefined
      : `\`${name}\` must be an http or https URL without a user name${more}, got ${formatValue(given)}.`;
  };

/** Formats a number with its noun: `1 lead`, `2 leads`. */
export const pluralize = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when there is a problem. */
export const throwIfInvalid = (problem: string | undefined): void => {
  if (problem !== undefined) {
    throw invalidArgument(problem);
  }
};

/**
 * Refuses an argument that is not an object.
 *
 * @param example A valid argument.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not an object.
 */
export const checkObject = (call: string, given: unknown, example: string): void => {
  const type = typeName(given);
  if (type !== 'an object') {
    throw invalidArgument(`${call} must be called with an object, such as ${example}, got ${type}.`);
  }
};

/**
 * Refuses misspelled names, which would otherwise be ignored silently.
 *
 * @param kind The kind of name in messages: `createMock() option`.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a name is unknown, or the value is not an object.
 */
export const checkNames = (kind: string, given: unknown, known: readonly string[]): void =>
  throwIfInvalid(unknownNames(kind, given, known));

/**
 * A check whose message shows the received value: in a test, it is not secret.
 *
 * @param words What the value must be.
 */
export const checkThat = (holds: (value: unknown) => boolean, words: string): Check =>
  checkValue(holds, words, formatValue);

/**
 * Describes a value that is not in a list, and suggests another; returns undefined for a value of the list.
 *
 * @param guess Returns the known word that an unknown one probably stands for.
 */
export const unknownWord = (
  kind: string,
  given: unknown,
  known: readonly unknown[],
  guess: (given: string, words: readonly string[]) => string | undefined = closestName,
): string | undefined => {
  if (known.includes(given)) {
    return undefined;
  }
  const words = known.filter((word) => typeof word === 'string');
  const meant = typeof given === 'string' ? guess(given, words) : undefined;
  const hint = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(meant)}?`;
  return `Unknown ${kind} ${formatValue(given)}. ${hint}`;
};

/** Accepts an object with some of these fields, if each of their values passes the check. */
export const eachOf = (names: readonly string[], check: Check): Check =>
  objectOf<object>('an object', Object.fromEntries(names.map((name) => [name, check])));

/** Returns the first problem of the fields of an object. */
export const firstProblem = (
  fields: object,
  problemOf: (name: string, value: unknown) => string | undefined,
): string | undefined =>
  Object.entries(fields)
    .map(([name, value]) => problemOf(name, value))
    .find(Boolean);

/**
 * Accepts an array whose elements all pass a check.
 *
 * @param words What the value must be.
 */
export const arrayOf =
  (words: string, check: Check): Check =>
  (name, value) =>
    checkThat(Array.isArray, words)(name, value) ??
    firstProblem(value as unknown[], (index, element) => check(`${name}[${index}]`, element));

export const isString = checkThat((value) => typeof value === 'string', 'a string');

export const isText = checkThat((value) => typeof value === 'string' && value !== '', 'a non-empty string');

/** Accepts headers. Messages do not show their values, which may be tokens. */
export const areHeaders: Check = (name, headers) => {
  if (typeName(headers) !== 'an object') {
    return `\`${name}\` must be an object of names and values, got ${typeName(headers)}.`;
  }
  for (const [header, value] of Object.entries(headers as object)) {
    if (typeof value !== 'string') {
      return `\`${name}.${header}\` must be a string, got ${typeName(value)}.`;
    }
    try {
      new Headers([[header, value]]);
    } catch {
      return `\`${name}.${header}\` has a name or a value that HTTP does not allow.`;
    }
  }
  return undefined;
};

/** 100 years. A longer wait could end after the year 9999, where the clock stops. */
const MAX_WAIT = 100 * 365.25 * 24 * 60 * 60 * 1000;

/** Accepts milliseconds to wait. */
export const isWait: Check = (name, ms) =>
  typeof ms === 'number' && ms > MAX_WAIT
    ? `\`${name}\` must be at most 100 years in milliseconds, got ${formatValue(ms)}.`
    : checkThat((value) => typeof value === 'number' && value >= 0, 'a number of milliseconds of at least 0')(
        name,
        ms,
      );

export const integerBetween = (min: number, max: number): Check =>
  checkThat(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `a whole number from ${min} to ${max}`,
  );

/** Accepts a number greater than 0, with its unit. */
export const positive = (unit: string): Check =>
  checkThat((value) => typeof value === 'number' && value > 0, `a number of ${unit} greater than 0`);

/** The names of all operations. */
export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** Methods of the client that look like operations, but call several of them. */
const COMPOSED = ['leads.ensure', 'leads.ensureMany'];

/** Other names for `conversations.sendMessage`. Their spelling is closer to that of other operations. */
const SEND_MESSAGE = ['conversations.send', 'conversations.reply', 'messages.create', 'messages.send'];

/** Accepts the name of an operation. */
export const isOperation: Check = (_, operation) =>
  COMPOSED.some((method) => method === operation)
    ? `Unknown operation ${JSON.stringify(operation)}: this method of the client calls leads.create, and leads.list after a 409. Did you mean "leads.create"?`
    : unknownWord('operation', operation, OPERATION_IDS, (name, known) =>
        SEND_MESSAGE.includes(name) ? 'conversations.sendMessage' : closestName(name, known),
      );

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when no operation has this name. */
export const checkOperation = (operation: unknown): void =>
  throwIfInvalid(isOperation('operation', operation));
