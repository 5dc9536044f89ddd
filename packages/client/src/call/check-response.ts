import { typeName } from '@confab/internal';
import * as z from 'zod/mini';
import { describeIssues } from '../contract/issues.ts';
import { operations } from '../contract/operations.ts';
import type { Issue, OperationId } from '../contract/types.ts';
import { isObject } from '../options/is-object.ts';

/** Maximum number of issues to report: ten megabytes of wrong rows contain millions. */
const MAX_ISSUES = 100;

/**
 * Finds where the body of a success differs from the contract. Issues name types and never values, because responses contain
 * personal data.
 *
 * It parses lists row by row, so that it can stop at the last issue to report.
 */
export const checkResponse = (id: OperationId, body: unknown): Issue[] => {
  const issues: Issue[] = [];

  const parse = (part: z.core.$ZodType, value: unknown, path: string): void => {
    const { error } = z.safeParse(part, value);
    if (error) {
      issues.push(...describeIssues(error, value, path, typeName));
    }
  };

  const check = (part: z.core.$ZodType, value: unknown, path: string): void => {
    if (part instanceof z.ZodMiniArray && Array.isArray(value)) {
      for (let index = 0; index < value.length && issues.length < MAX_ISSUES; index += 1) {
        parse(part.def.element, value[index], `${path}[${index}]`);
      }
    } else if (part instanceof z.ZodMiniObject && isObject(value) && !Array.isArray(value)) {
      for (const [name, field] of Object.entries(part.shape)) {
        check(field, Reflect.get(value, name), path === '' ? name : `${path}.${name}`);
      }
    } else {
      parse(part, value, path);
    }
  };

  check(operations[id].response, body, '');
  return issues.slice(0, MAX_ISSUES);
};
