import type * as z from 'zod/mini';

/** One thing that is wrong with a value, and where. */
export interface Issue {
  /** `query.limit`, `body.phone`, `data[3].createdAt`; empty for the value itself. */
  readonly path: string;
  /** `must be at most 100, not 500`. */
  readonly message: string;
}

/** Long enough to recognise a value by, short enough for a log line. */
const PREVIEW_LENGTH = 40;

const preview = (value: unknown): string => {
  if (value === undefined) return 'missing';
  if (typeof value !== 'object' || value === null) {
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
    return shown.length > PREVIEW_LENGTH ? `${shown.slice(0, PREVIEW_LENGTH)}…` : shown;
  }
  return Array.isArray(value) ? 'an array' : 'an object';
};

const FORMATS: Record<string, string> = {
  guid: 'a UUID',
  datetime: 'a date-time with its offset (RFC 3339)',
};

const requirement = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`.replace(
        /, ([^,]+)$/,
        ' or $1',
      );
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? issue.format}`;
    case 'invalid_union': {
      const last = issue.errors.at(-1)?.[0];
      return last === undefined ? 'must be of another type' : requirement(last);
    }
    default:
      return issue.message;
  }
};

const at = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

const join = (path: PropertyKey[], root: string): string =>
  path.reduce<string>(
    (joined, key) =>
      typeof key === 'number'
        ? `${joined}[${key}]`
        : joined === ''
          ? String(key)
          : `${joined}.${String(key)}`,
    root,
  );

/**
 * Says in words what a schema found wrong with a value.
 *
 * zod/mini carries no messages of its own (they would cost every bundle some kilobytes), and ours name the
 * value received.
 *
 * @param root What the value is called, as the first part of each path: `body`.
 */
export const describeIssues = (error: z.core.$ZodError, value: unknown, root = ''): Issue[] =>
  error.issues.map((issue) => ({
    path: join(issue.path, root),
    message:
      issue.code === 'unrecognized_keys'
        ? `has unknown fields: ${issue.keys.join(', ')}`
        : `${requirement(issue)}, not ${preview(at(value, issue.path))}`,
  }));
