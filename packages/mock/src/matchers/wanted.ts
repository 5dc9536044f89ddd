import { invalidArgument } from '../errors/mock-error.ts';
import type { Equals } from './equals.ts';
import type { RunnerState } from './runner.ts';
import { isAsymmetric, print } from './runner.ts';

/** The expected values of a request or an event: values by name, or a matcher such as `expect.objectContaining(…)`. */
export type Wanted =
  | Readonly<Record<string, unknown>>
  | {
      /** Returns whether a value matches. */
      asymmetricMatch(other: unknown): boolean;
    };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Refuses values without names: a string, an array or a promise would match everything or nothing.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is neither an object nor an asymmetric matcher.
 */
export const checkWanted = (state: RunnerState, matcher: string, wanted: unknown): void => {
  // Not by prototype: a test may run in another realm.
  if (isAsymmetric(wanted) || Object.prototype.toString.call(wanted) === '[object Object]') {
    return;
  }
  throw invalidArgument(
    `The values for ${matcher}() must be an object, such as { phone: '+5511987654321' }, or an asymmetric matcher, such as expect.objectContaining(…), got ${print(state, wanted, 1)}`,
  );
};

/** Whether a value has the expected values. */
export const fits = (equals: Equals, value: unknown, wanted: Wanted): boolean =>
  isAsymmetric(wanted)
    ? equals(value, wanted)
    : isObject(value) &&
      Object.entries(wanted).every(
        ([name, part]) => Object.hasOwn(value, name) && equals(Reflect.get(value, name), part),
      );
