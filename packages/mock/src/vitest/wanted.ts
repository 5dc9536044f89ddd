import type { MatcherState } from 'vitest';
import { invalidArgument } from '../errors/invalid-argument.ts';

/** What a request or an event is to have: values by name, or `expect.objectContaining(…)` and its like. */
export type Wanted =
  | Readonly<Record<string, unknown>>
  | {
      /** Whether a value matches; vitest's asymmetric matchers have this method. */
      asymmetricMatch(other: unknown): boolean;
    };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isAsymmetric = (value: unknown): boolean =>
  isObject(value) && typeof Reflect.get(value, 'asymmetricMatch') === 'function';

/**
 * Refuses values without names: a string, an array or a promise would match everything or nothing.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is neither an object nor an asymmetric matcher.
 */
export const checkWanted = (state: MatcherState, matcher: string, wanted: unknown): void => {
  // Not by prototype: a test may run in a realm of its own.
  if (isAsymmetric(wanted) || Object.prototype.toString.call(wanted) === '[object Object]') {
    return;
  }
  throw invalidArgument(
    `The values for ${matcher}() must be an object, such as { phone: '+5511987654321' }, or an asymmetric matcher, such as expect.objectContaining(…); got ${state.utils.stringify(wanted, 1, { min: true })}`,
  );
};

/** Whether a value has what is wanted. */
export const fits = ({ equals }: MatcherState, value: unknown, wanted: Wanted): boolean =>
  isAsymmetric(wanted)
    ? equals(value, wanted)
    : isObject(value) &&
      Object.entries(wanted).every(
        ([name, part]) => Object.hasOwn(value, name) && equals(Reflect.get(value, name), part),
      );
