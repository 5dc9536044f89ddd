import { oneLine } from '@confab/internal';
import { shortened } from '../contract/issues.ts';
import type { Issue } from '../contract/types.ts';
import type { Redact } from '../errors/redaction.ts';
import { isObject } from '../options/is-object.ts';

const isRecord = (value: unknown): value is object => isObject(value) && !Array.isArray(value);

/**
 * Checks the fields of `extraQuery` or `extraBody`, which the contract does not know.
 *
 * @param value The query or body to add them to.
 * @param known Fields of the contract.
 */
export const checkExtra = (
  path: 'extraQuery' | 'extraBody',
  value: unknown,
  extra: unknown,
  known: object = {},
  redact: Redact,
): Issue[] => {
  if (extra === undefined) {
    return [];
  }
  if (!isRecord(extra) || !isRecord(value)) {
    return [{ path, message: 'must be an object, and the request must have one to extend' }];
  }
  // Also those that the caller left out: their types and checks would be bypassed.
  const taken = Object.keys({ ...known, ...value });
  return Object.keys(extra)
    .filter((name) => taken.includes(name))
    .map((name) => ({
      path: `${path}.${shortened(oneLine(redact(name, 100)))}`,
      message: 'is a known field: pass it as a normal field',
    }));
};
