import { isObject } from './values.ts';

/**
 * Writes the path of an issue as code would: `data[3].createdAt`.
 *
 * @param root The name of the value that the path starts from, if it has one.
 * @example
 * ```ts
 * pathName(['data', 3, 'createdAt']); // 'data[3].createdAt'
 * pathName(['phone'], 'body'); // 'body.phone'
 * ```
 */
export const pathName = (path: readonly PropertyKey[], root = ''): string =>
  path.reduce<string>(
    (name, key) => name + (typeof key === 'number' ? `[${key}]` : `${name && '.'}${String(key)}`),
    root,
  );

/**
 * Returns the value at a path, or undefined if the path does not exist.
 *
 * @example
 * ```ts
 * valueAt({ data: ['a', 'b'] }, ['data', 1]); // 'b'
 * ```
 */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? Reflect.get(inner, key) : undefined), value);
