import { guessName, pathName, remedyFor, showValue, suggestNames, valueAt } from '@confab/internal';
import type * as z from 'zod/mini';
import type { Issue } from './types.ts';

/**
 * Says what unknown names probably mean, or which names are known. Only a question ends with a punctuation mark.
 *
 * @param elsewhere Returns a hint for a name that belongs elsewhere: `\`signal\` is an option: pass it in the next
 * argument`.
 */
export const hintFor = (
  names: readonly string[],
  known: readonly string[],
  elsewhere?: (name: string) => string | undefined,
): string => names.flatMap((name) => elsewhere?.(name) ?? [])[0] ?? suggestNames(names, known, guessName);

/** Maximum number of characters to show of a value: enough to recognize it, and few enough for a log line. */
const PREVIEW_LENGTH = 40;

export const shortened = (text: string): string =>
  text.length > PREVIEW_LENGTH ? `${text.slice(0, PREVIEW_LENGTH)}…` : text;

/** Shows a short value as it is, and the type of any other value. */
export const preview = (value: unknown): string => showValue(value, PREVIEW_LENGTH) + remedyFor(value);

const requirement = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${/^[ao]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    default:
      // The contract's own checks provide their messages.
      return issue.message;
  }
};

/** Maximum number of unknown names to list. */
const MAX_NAMES = 10;

/**
 * Says which fields of an object are unknown.
 *
 * @param known The fields of the object; empty for a message without a hint.
 * @param clean Removes secrets from a name, before it is shortened.
 * @param elsewhere Returns a hint for a name that belongs elsewhere.
 */
export const unknownFields = (
  names: readonly string[],
  known: readonly string[],
  clean = (name: string): string => name,
  elsewhere?: (name: string) => string | undefined,
): string => {
  const listed = names.slice(0, MAX_NAMES);
  const list = listed.map((name) => shortened(clean(name))).join(', ');
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const hint = known.length > 0 ? `. ${hintFor(listed, known, elsewhere)}` : '';
  return `has unknown fields: ${list}${more}${hint}`;
};

/**
 * Describes the issues that a schema found. zod/mini has no messages, and those of zod show neither the value nor the
 * intended name.
 *
 * @param root The name of the value, which is the first part of each path: `body`.
 * @param show Describes the received value; shortened values by default.
 * @param unknown Says which fields are unknown.
 * @example
 * ```ts
 * const result = LeadCreateSchema.safeParse(body);
 * if (!result.success) console.error(describeIssues(result.error, body, 'body'));
 * ```
 */
export const describeIssues = (
  error: Pick<z.core.$ZodError, 'issues'>,
  value: unknown,
  root = '',
  show: (received: unknown) => string = preview,
  unknown: (names: readonly string[]) => string = (names) => unknownFields(names, []),
): Issue[] =>
  error.issues.map((issue) => ({
    path: pathName(issue.path, root),
    message:
      issue.code === 'unrecognized_keys'
        ? unknown(issue.keys)
        : `${requirement(issue)}, got ${show(valueAt(value, issue.path))}`,
  }));
