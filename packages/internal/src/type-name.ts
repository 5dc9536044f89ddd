/** Returns true for anything with fields, apart from functions. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The type of a value with its article: `a string`, `an array`, `null`, `undefined`. Messages about other people's data
 * name the type, because the data itself must stay out of logs.
 *
 * @example
 * ```ts
 * typeName([]); // 'an array'
 * ```
 */
export const typeName = (value: unknown): string => {
  if (value === undefined || value === null) {
    return String(value);
  }
  if (typeof value === 'object') {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  return `a ${typeof value}`;
};
