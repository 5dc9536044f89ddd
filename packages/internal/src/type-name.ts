/** Returns true for anything with fields, apart from functions. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The type of a value with its article: `a string`, `an array`, `null`, `undefined`, `a Map`. Messages about other people's
 * data name the type, because the data itself must stay out of logs. Unlike `instanceof`, it works for objects of another
 * realm.
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
  const tag = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  const name = /^(?:Object|Array)$/.test(tag) ? tag.toLowerCase() : tag;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
};
