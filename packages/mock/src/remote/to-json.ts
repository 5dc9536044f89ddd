import { pathName, typeName } from '@confab/internal';
import { UNLIMITED } from '../control/routes.ts';
import { invalidArgument } from '../errors/mock-error.ts';

/** What a value is that JSON would leave out, or write as something else; `undefined` if it can be sent. */
const unsendable = (value: unknown, name: string): string | undefined => {
  if (typeof value === 'number') {
    const isLimit = value === Number.POSITIVE_INFINITY && UNLIMITED.includes(name);
    return Number.isFinite(value) || isLimit ? undefined : String(value);
  }
  const type = typeName(value);
  if ('asymmetricMatch' in Object(value)) {
    return 'an asymmetric matcher';
  }
  if (type === 'a Date') {
    return Number.isNaN(Number(value)) ? 'an invalid date' : undefined;
  }
  const isJson = /^(?:null|a string|a boolean|an object|an array)$/.test(type);
  return isJson || 'toJSON' in Object(value) ? undefined : type;
};

/**
 * Writes what is sent to a server.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is or contains something that JSON would leave out or change,
 * such as a function, `NaN` or a regular expression. The message has its path.
 */
export const toJson = (root: unknown): string => {
  const paths = new Map<unknown, readonly (string | number)[]>();
  return JSON.stringify(root, function (this: object, key: string, json: unknown) {
    const value: unknown = Reflect.get(this, key);
    const around = paths.get(this);
    const path = around === undefined ? [] : [...around, Array.isArray(this) ? Number(key) : key];
    // An undefined field is left out, as an in-process mock ignores it.
    if (value === undefined && around !== undefined && !Array.isArray(this)) {
      return undefined;
    }
    const isCircular = paths.get(value)?.every((part, at) => part === path[at]);
    const what = isCircular ? 'a circular reference' : unsendable(value, key);
    if (what !== undefined) {
      const subject =
        path.length === 0 ? `A value that is ${what}` : `\`${pathName(path)}\` is ${what}, which`;
      throw invalidArgument(
        `${subject} cannot be sent to a remote mock. Pass values that JSON can express, or control the mock in its own process.`,
      );
    }
    // JSON may be another value: that of a method toJSON().
    paths.set(json, path);
    return json;
  });
};
