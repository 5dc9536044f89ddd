import { pathName } from '@confab/internal';
import { instead, unknownFields } from './issues.ts';
import type { Rule } from './rules.ts';
import { dateTime, exactly, length, oneOf, uuid, whole } from './rules.ts';
import type { Shape } from './shape.ts';
import type { Issue } from './types/issue.ts';

export interface CheckOptions {
  /** What the value is called, as the first part of each path: `body`. */
  readonly root?: string | undefined;
  /** Says what was received in place of what was wanted. */
  readonly show: (received: unknown) => string;
  /** Removes secrets from the name of an unknown field. */
  readonly clean?: ((name: string) => string) | undefined;
  /** Maximum number of issues to find. */
  readonly most?: number | undefined;
}

/** Creates the rule for a value that has the right type. */
const createRule = ({
  type,
  format,
  maxLength,
  minLength,
  const: wanted,
  ...shape
}: Shape): Rule<never> | undefined => {
  if (type === 'integer') {
    return whole(shape);
  }
  if (maxLength !== undefined) {
    return length({ minLength, maxLength });
  }
  if (wanted !== undefined) {
    return exactly(wanted);
  }
  return shape.enum ? oneOf(shape.enum) : format && { uuid, 'date-time': dateTime }[format];
};

/** Shapes are constants, and each is checked many times. */
const rules = new WeakMap<Shape, { readonly rule: Rule<never> | undefined }>();

const ruleOf = (shape: Shape): Rule<never> | undefined => {
  const known = rules.get(shape) ?? { rule: createRule(shape) };
  rules.set(shape, known);
  return known.rule;
};

const hasType = (value: unknown, type: string): boolean => {
  if (type === 'number') {
    return Number.isFinite(value);
  }
  const isArray = Array.isArray(value);
  return type === 'array' ? isArray : typeof value === type && value !== null && !isArray;
};

/** Finds where a value differs from its shape. It does what the zod schema would do that the shape was made from. */
export const checkShape = (
  value: unknown,
  shape: Shape,
  { root = '', show, clean, most = Number.POSITIVE_INFINITY }: CheckOptions,
): Issue[] => {
  const issues: Issue[] = [];

  const add = (path: readonly PropertyKey[], message: string) => {
    issues.push({ path: pathName(path, root), message });
  };

  const check = (given: unknown, wanted: Shape, path: readonly PropertyKey[]): void => {
    if (given === null && wanted.nullable) {
      return;
    }
    const type = wanted.type === 'integer' ? 'number' : wanted.type;
    if (!hasType(given, type)) {
      add(path, `must be ${/^[ao]/.test(type) ? 'an' : 'a'} ${type}, ${instead(given, show)}`);
      return;
    }
    const rule = ruleOf(wanted);
    if (rule && !rule.holds(given as never)) {
      add(path, `${rule.words}, ${instead(given, show)}`);
    }
    if (wanted.items) {
      for (const [index, item] of (given as unknown[]).entries()) {
        if (issues.length >= most) {
          return;
        }
        check(item, wanted.items, [...path, index]);
      }
    }
    if (wanted.properties) {
      checkFields(given as Readonly<Record<string, unknown>>, wanted, path);
    }
  };

  const checkFields = (
    given: Readonly<Record<string, unknown>>,
    { properties = {}, optional, closed }: Shape,
    path: readonly PropertyKey[],
  ): void => {
    for (const [name, field] of Object.entries(properties)) {
      if (given[name] !== undefined || !optional?.includes(name)) {
        check(given[name], field, [...path, name]);
      }
    }
    const known = Object.keys(properties);
    const unknown = closed ? Object.keys(given).filter((name) => !known.includes(name)) : [];
    if (unknown.length > 0) {
      add(path, unknownFields(unknown, known, clean));
    }
  };

  check(value, shape, []);
  return issues.slice(0, most);
};
