import { pathName } from '@confab/internal';
import { invalidArgument } from '../errors/mock-error.ts';

type Path = readonly (string | number)[];

/** Where no limit is `Infinity` in code and null in JSON. */
const LIMITS: readonly unknown[] = ['rateLimit', 'requests', 'timeout'];

const refuse = (path: Path, what: string): never => {
  const subject = path.length === 0 ? `A value that is ${what}` : `\`${pathName(path)}\` is ${what}, which`;
  throw invalidArgument(
    `${subject} can't be sent to a remote mock. Pass values that JSON can express, or control the mock in its own process.`,
  );
};

/** What an object is that JSON would write as something else; `undefined` for plain objects and arrays. */
const kindOf = (value: object): string | undefined => {
  if ('asymmetricMatch' in value) {
    return 'an asymmetric matcher';
  }
  const [, kind = ''] = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  return kind === 'Object' || kind === 'Array' ? undefined : `a ${kind}`;
};

const checkObject = (value: object, path: Path, around: readonly object[]): void => {
  if (around.includes(value)) {
    refuse(path, 'a circular reference');
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      refuse(path, 'an invalid date');
    }
    return;
  }
  const kind = kindOf(value);
  if (kind !== undefined) {
    refuse(path, kind);
  }
  const within = [...around, value];
  if (Array.isArray(value)) {
    // By index, because a loop over entries skips holes.
    for (let at = 0; at < value.length; at += 1) {
      check(value[at], [...path, at], within);
    }
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    // As in the process of the mock, a field that is undefined is left out.
    if (part !== undefined) {
      check(part, [...path, name], within);
    }
  }
};

const check = (value: unknown, path: Path, around: readonly object[]): void => {
  switch (typeof value) {
    case 'object':
      if (value !== null) {
        checkObject(value, path, around);
      }
      break;
    case 'number':
      if (!Number.isFinite(value) && !(value === Number.POSITIVE_INFINITY && LIMITS.includes(path.at(-1)))) {
        refuse(path, String(value));
      }
      break;
    case 'function':
    case 'symbol':
    case 'bigint':
      refuse(path, `a ${typeof value}`);
      break;
    case 'undefined':
      refuse(path, 'undefined');
      break;
    default:
  }
};

/**
 * Writes what is sent to a server.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is or contains something that JSON would leave out or change, such as
 * a function, `NaN` or a regular expression. The message has its path.
 */
export const toJson = (value: unknown): string => {
  check(value, [], []);
  return JSON.stringify(value);
};
