import { pathName } from '@confab/internal';
import { invalidArgument } from '../errors/mock-error.ts';

type Path = readonly (string | number)[];

/** Fields in which `Infinity` means no limit; JSON sends it as null. */
const LIMITS: readonly unknown[] = ['rateLimit', 'requests', 'timeout'];

/** What a value is that JSON would leave out, or write as something else; `undefined` if it can be sent. */
const unsendable = (value: unknown, name: string | number | undefined): string | undefined => {
  if (value === undefined) {
    return 'undefined';
  }
  if (typeof value === 'number') {
    const isLimit = value === Number.POSITIVE_INFINITY && LIMITS.includes(name);
    return Number.isFinite(value) || isLimit ? undefined : String(value);
  }
  if (typeof value !== 'object' || value === null) {
    return ['function', 'symbol', 'bigint'].includes(typeof value) ? `a ${typeof value}` : undefined;
  }
  if ('asymmetricMatch' in value) {
    return 'an asymmetric matcher';
  }
  if (value instanceof Date && Number.isNaN(value.getTime())) {
    return 'an invalid date';
  }
  const [, kind = ''] = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  return 'toJSON' in value || kind === 'Object' || kind === 'Array' ? undefined : `a ${kind}`;
};

const check = (value: unknown, path: Path, around: readonly unknown[]): void => {
  const what = around.includes(value) ? 'a circular reference' : unsendable(value, path.at(-1));
  if (what !== undefined) {
    const subject = path.length === 0 ? `A value that is ${what}` : `\`${pathName(path)}\` is ${what}, which`;
    throw invalidArgument(
      `${subject} cannot be sent to a remote mock. Pass values that JSON can express, or control the mock in its own process.`,
    );
  }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    return;
  }
  // Holes in arrays are checked too. Undefined fields of objects are skipped, because an in-process mock ignores them as well.
  const parts: readonly [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value).filter(([, part]) => part !== undefined);
  for (const [name, part] of parts) {
    check(part, [...path, name], [...around, value]);
  }
};

/**
 * Writes what is sent to a server.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is or contains something that JSON would leave out or change,
 * such as a function, `NaN` or a regular expression. The message has its path.
 */
export const toJson = (value: unknown): string => {
  check(value, [], []);
  return JSON.stringify(value);
};
