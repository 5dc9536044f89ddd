import { invalidArgument } from '../errors/mock-error.ts';
import type { Equals, RunnerState } from './runner.ts';
import { equalsOf, isAsymmetric, print } from './runner.ts';

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
const fits = (equals: Equals, value: unknown, wanted: Wanted): boolean =>
  isAsymmetric(wanted)
    ? equals(value, wanted)
    : isObject(value) &&
      Object.entries(wanted).every(
        ([name, part]) => Object.hasOwn(value, name) && equals(Reflect.get(value, name), part),
      );

/** The result of a matcher. */
export interface Verdict {
  /** Whether anything matches. */
  pass: boolean;
  /** Describes the failure, of the assertion or of its negation. */
  message: () => string;
}

interface Question {
  /** What is looked for: `request of leads.create`. */
  readonly what: string;
  readonly candidates: readonly unknown[];
  readonly wanted: Wanted;
  /** Further explanations why nothing matches, one per line. */
  readonly hints?: () => readonly string[];
}

/** How many candidates a message shows. */
const MAX_CANDIDATES = 5;

const counted = (count: number, fitting: boolean): string => {
  if (count === 0) {
    return 'there was none';
  }
  if (count === 1) {
    return `there was one${fitting ? '' : ', which does not fit'}:`;
  }
  return `there were ${count}${fitting ? '' : ', none of which fits'}:`;
};

/** Decides whether any candidate matches, and describes the candidates in the message. */
export const judge = (
  state: RunnerState,
  { what, candidates, wanted, hints = () => [] }: Question,
): Verdict => {
  const equals = equalsOf(state);
  const found = candidates.filter((candidate) => fits(equals, candidate, wanted));
  const pass = found.length > 0;
  return {
    pass,
    message: () => {
      const anything = !isAsymmetric(wanted) && Object.keys(wanted).length === 0;
      const values = anything ? '' : ` with ${print(state, wanted)}`;
      const shown = pass ? found : candidates;
      const more = shown.length - MAX_CANDIDATES;
      return [
        `Expected ${pass ? 'no' : 'a'} ${what}${values}; ${counted(shown.length, pass)}`,
        ...shown.slice(-MAX_CANDIDATES).map((candidate) => print(state, candidate)),
        ...(more > 0 ? [`and ${more} before these`] : []),
        ...(pass ? [] : hints()),
      ].join('\n  ');
    },
  };
};
