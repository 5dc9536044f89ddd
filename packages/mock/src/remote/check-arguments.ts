import { typeName } from '@confab/internal';
import { invalidArgument } from '../errors/mock-error.ts';

const refuse = (call: string, wanted: string, value: unknown): never => {
  const given =
    typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : typeName(value);
  throw invalidArgument(`${call} must be called with ${wanted}, got ${given}`);
};

/**
 * Checks an argument that must be an object. The server checks what is in it.
 *
 * @param call What messages call the method: `leads.create()`.
 * @param wanted What to pass, with its article.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is anything else.
 */
export const checkObject = (call: string, value: unknown, wanted = 'an object'): void => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(call, wanted, value);
  }
};

/**
 * Checks an argument that must be a text, because a path contains it or the server would read its absence otherwise.
 *
 * @param wanted What to pass, with its article: `an id`.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is anything else, or empty.
 */
export const checkText = (call: string, value: unknown, wanted: string): void => {
  if (typeof value !== 'string' || value === '') {
    refuse(call, wanted, value);
  }
};
