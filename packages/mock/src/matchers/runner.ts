/** The parts of `this` that the matchers use: that of vitest, Jest, Bun or Playwright. */
export interface RunnerState {
  /** Whether the assertion is negated. */
  readonly isNot?: boolean;
  /** Compares by value, and lets asymmetric matchers decide. */
  equals?(actual: unknown, expected: unknown): boolean;
  /** Functions for messages. */
  readonly utils: {
    /** Prints a value. */
    stringify(value: unknown, maxDepth?: number, ...more: never[]): string;
  };
}

/** The type of the third argument differs: options in vitest, a number in Jest and Playwright, nothing in Bun. */
type Stringify = (value: unknown, maxDepth: number | undefined, options: object) => string;

/** How Bun begins what it spreads over several lines. The other runners print one line. */
const SPREAD = /^[\w\s]*[[{]\n/;

/** Prints a value in one line. */
export const print = ({ utils }: RunnerState, value: unknown, maxDepth?: number): string => {
  const text = (utils.stringify as Stringify)(value, maxDepth, { min: true });
  return SPREAD.test(text) ? text.replace(/,?\n\s*(?=[\]}])/g, ' ').replace(/\n\s*/g, ' ') : text;
};

interface Asymmetric {
  asymmetricMatch?(other: unknown): boolean;
}

const kindOf = (value: unknown): string => Object.prototype.toString.call(value);

/** Whether a value is one such as `expect.objectContaining(…)`. */
export const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof Object(value).asymmetricMatch === 'function' ||
  // Bun's are native objects without that method.
  kindOf(value).startsWith('[object Expect');

/** The names of the fields that have a value: an optional field may be undefined as well as missing. */
const fieldsOf = (value: object): string[] =>
  Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined);

/**
 * Compares a value that came as JSON with an expected one, and lets asymmetric matchers decide.
 *
 * Not by the comparison of the runner: in the matchers of Playwright, that throws. Only Bun's own knows its asymmetric
 * matchers.
 */
export const equals = (state: RunnerState, actual: unknown, expected: unknown): boolean => {
  if (isAsymmetric(expected)) {
    return expected.asymmetricMatch?.(actual) ?? state.equals?.(actual, expected) === true;
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    return Object.is(actual, expected);
  }
  const names = fieldsOf(expected);
  return (
    kindOf(actual) === kindOf(expected) &&
    fieldsOf(actual).length === names.length &&
    names.every(
      (name) =>
        Object.hasOwn(actual, name) && equals(state, Reflect.get(actual, name), Reflect.get(expected, name)),
    )
  );
};
