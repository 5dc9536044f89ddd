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
  const type = Array.isArray(value) ? 'array' : typeof value;
  return `${'ao'.includes(type.charAt(0)) ? 'an' : 'a'} ${type}`;
};
