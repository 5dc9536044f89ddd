import { pathName } from '@confab/internal';
import { unknownFields } from '../../contract/issues.ts';
import type { Issue } from '../../contract/types.ts';
import type { Rule } from './rules.ts';
import { dateTime, exactly, length, oneOf, uuid, whole } from './rules.ts';
import type { Shape } from './shape.ts';

export interface CheckOptions {
  /** What the value is called, as the first part of each path: `body`. */
  readonly root?: string | undefined;
  /** Says what was received in place of what was wanted. */
  readonly show: (received: unknown) => string;
  /** Removes secrets from the name of an unknown field. */
  readonly clean?: ((name: string) => string) | undefined;
  /** Names that belong into the argument after the value. */
  readonly options?: readonly string[] | undefined;
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

/** What a check needs of a shape. */
interface Prepared {
  readonly rule: Rule<never> | undefined;
  readonly fields: readonly (readonly [name: string, shape: Shape])[];
}

/** Shapes are constants, and each is checked many times. */
const prepared = new WeakMap<Shape, Prepared>();

const prepare = (shape: Shape): Prepared => {
  let known = prepared.get(shape);
  if (known === undefined) {
    known = { rule: createRule(shape), fields: Object.entries(shape.properties ?? {}) };
    prepared.set(shape, known);
  }
  return known;
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
  { root = '', show, clean, options, most = Number.POSITIVE_INFINITY }: CheckOptions,
): Issue[] => {
  const issues: Issue[] = [];
  /** Where the value is that is being checked. */
  const path: PropertyKey[] = [];

  const add = (message: string) => {
    issues.push({ path: pathName(path, root), message });
  };

  const checkAt = (key: PropertyKey, given: unknown, wanted: Shape): void => {
    path.push(key);
    check(given, wanted);
    path.pop();
  };

  const check = (given: unknown, wanted: Shape): void => {
    if (given === null && wanted.nullable) {
      return;
    }
    const type = wanted.type === 'integer' ? 'number' : wanted.type;
    if (!hasType(given, type)) {
      add(`must be ${/^[ao]/.test(type) ? 'an' : 'a'} ${type}, got ${show(given)}`);
      return;
    }
    const { rule, fields } = prepare(wanted);
    if (rule && !rule.holds(given as never)) {
      add(`${rule.words}, got ${show(given)}`);
    }
    if (wanted.items) {
      for (const [index, item] of (given as unknown[]).entries()) {
        if (issues.length >= most) {
          return;
        }
        checkAt(index, item, wanted.items);
      }
    }
    if (wanted.properties) {
      checkFields(given as Readonly<Record<string, unknown>>, fields, wanted);
    }
  };

  const checkFields = (
    given: Readonly<Record<string, unknown>>,
    fields: Prepared['fields'],
    { optional, closed }: Shape,
  ): void => {
    for (const [name, field] of fields) {
      if (given[name] !== undefined || !optional?.includes(name)) {
        checkAt(name, given[name], field);
      }
    }
    if (closed) {
      const known = fields.map(([name]) => name);
      const unknown = Object.keys(given).filter((name) => !known.includes(name));
      if (unknown.length > 0) {
        add(unknownFields(unknown, known, clean, options));
      }
    }
  };

  check(value, shape);
  return issues.slice(0, most);
};
