import { oneLine } from '@confab/internal';
import { shortened } from '../contract/issues.ts';
import type { Issue } from '../contract/types.ts';
import { isObject } from '../options/is-object.ts';
import type { Redact } from '../secrecy/redact.ts';

const isRecord = (value: unknown): value is object => isObject(value) && !Array.isArray(value);

/**
 * Adds the fields of `extraQuery` or `extraBody`, which the contract does not know, to a query or a body.
 *
 * @param known Fields of the contract.
 * @param issues Receives every problem of the extra fields.
 */
export const addExtra = <Value>(
  path: 'extraQuery' | 'extraBody',
  value: Value,
  extra: unknown,
  known: readonly string[],
  redact: Redact,
  issues: Issue[],
): Value => {
  if (extra === undefined) {
    return value;
  }
  if (!isRecord(extra) || !isRecord(value)) {
    issues.push({ path, message: 'must be an object, and the request must have one to extend' });
    return value;
  }
  // Also those that the caller left out: their types and checks would be bypassed.
  const taken = [...known, ...Object.keys(value)];
  for (const name of Object.keys(extra)) {
    if (taken.includes(name)) {
      issues.push({
        path: `${path}.${shortened(oneLine(redact(name, 100)))}`,
        message: 'is a known field: pass it as a normal field',
      });
    }
  }
  return { ...value, ...extra };
};
