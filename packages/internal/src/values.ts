/** Returns true for anything with fields, apart from functions. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns true for an object that can be copied field by field, unlike a Map, an array or a promise. */
export const isPlainObject = (value: unknown): value is object =>
  Object.prototype.toString.call(value) === '[object Object]' && typeof Object(value).then !== 'function';

/**
 * Returns true for anything with the fields of an error. `instanceof Error` is false for errors of another realm, as in
 * Jest, jsdom and `node:vm`.
 *
 * @example
 * ```ts
 * const reason = isError(thrown) ? thrown.message : String(thrown);
 * ```
 */
export const isError = (value: unknown): value is Error => {
  const { name, message } = Object(value);
  return typeof name === 'string' && typeof message === 'string';
};

/** Returns true for a `Date` of any realm. */
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';

/**
 * Returns the type of a value with its article: `a string`, `an array`, `null`, `undefined`, `a Map`. Messages name the
 * type of a value because the value itself must stay out of logs. The type must come last in a message, because that of
 * a promise is `a Promise: await it`. Unlike `instanceof`, this works for objects of another realm.
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
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}${Object(value).then?.call ? ': await it' : ''}`;
};

/** Returns true for anything that has all these methods. */
export const hasMethods = (value: unknown, ...methods: readonly PropertyKey[]): boolean =>
  methods.every((method) => typeof Object(value)[method] === 'function');

/**
 * Returns how to turn a value of the wrong type into the required object, as text to append to its type:
 * `: pass { signal }`. Empty if there is no such way.
 */
export const remedyFor = (value: unknown): string => {
  if (hasMethods(value, 'throwIfAborted')) {
    return ': pass { signal }';
  }
  if (hasMethods(value, 'entries', 'get')) {
    return ': use Object.fromEntries';
  }
  return typeof value === 'bigint' ? ': pass a string' : '';
};
