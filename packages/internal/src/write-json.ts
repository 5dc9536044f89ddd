import { remedyFor, typeName } from './values.ts';

/** A part of a value that JSON cannot express. */
export interface LostPart {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** `NaN`, `a Promise: await it`. */
  readonly what: string;
}

/**
 * Describes a value that JSON would leave out or change. Returns undefined for any other value.
 *
 * @param json The result of its method `toJSON`, or the value itself if it has no such method.
 */
const describeLoss = (value: unknown, json: unknown): string | undefined => {
  const { asymmetricMatch, then } = Object(json);
  if (typeof asymmetricMatch === 'function') {
    return 'an asymmetric matcher';
  }
  if (typeof json === 'object' && json !== null && !ArrayBuffer.isView(value) && typeof then !== 'function') {
    // JSON keeps nothing of private fields and getters. An object of another realm has another prototype.
    const isPlain = Object.getPrototypeOf(Object.getPrototypeOf(json) ?? json) === null;
    const hasTag = Object.prototype.toString.call(json) === '[object Object]';
    if (Array.isArray(json) || (hasTag && (isPlain || Object.keys(json).length > 0))) {
      return undefined;
    }
  } else if (
    typeof json === 'string' ||
    typeof json === 'boolean' ||
    Number.isFinite(json) ||
    value === null
  ) {
    return undefined;
  }
  const type = typeName(value);
  if (typeof json === 'number') {
    return String(json);
  }
  if (json === null) {
    return type === 'a Date' ? 'an invalid date' : `${type} that JSON writes as null`;
  }
  return type + (remedyFor(value) || (type === 'an object' ? ' without fields of its own' : ''));
};

/** The most parts to report. */
const MAX_PARTS = 10;

/**
 * Writes a value as JSON, and finds what JSON would leave out or change: `NaN` becomes `null`, a function vanishes. A field
 * that is undefined is left out on purpose, but in an array it becomes `null`.
 *
 * @example
 * ```ts
 * const { text, lost } = writeJson({ email: Number.NaN }); // lost: [{ path: ['email'], what: 'NaN', … }]
 * ```
 */
export const writeJson = (
  root: unknown,
): { readonly text: string | undefined; readonly lost: readonly LostPart[] } => {
  const lost: LostPart[] = [];
  const paths = new Map<unknown, LostPart['path']>();
  const text = JSON.stringify(root, function (this: object, key: string, json: unknown) {
    const value: unknown = Reflect.get(this, key);
    const parentPath = paths.get(this);
    if (value === undefined && parentPath !== undefined && !Array.isArray(this)) {
      return undefined;
    }
    const path = parentPath === undefined ? [] : [...parentPath, Array.isArray(this) ? Number(key) : key];
    const isCircular = paths.get(json)?.every((part, index) => part === path[index]);
    const what = isCircular ? 'a circular reference' : describeLoss(value, json);
    if (what === undefined) {
      if (typeof json === 'object') {
        paths.set(json, path);
      }
      return json;
    }
    if (lost.length < MAX_PARTS) {
      lost.push({ path, value, what });
    }
    return typeof json === 'number' ? json : undefined;
  });
  return { text, lost };
};
