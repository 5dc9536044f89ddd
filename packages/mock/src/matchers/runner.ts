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

/** The start of a value that Bun prints on several lines. The other runners print one line. */
const MULTILINE = /^[\w\s]*[[{]\n/;

/** Prints a value on one line. */
export const print = ({ utils }: RunnerState, value: unknown, maxDepth?: number): string => {
  const text = (utils.stringify as Stringify)(value, maxDepth, { min: true });
  return MULTILINE.test(text) ? text.replace(/,?\n\s*(?=[\]}])/g, ' ').replace(/\n\s*/g, ' ') : text;
};

interface Asymmetric {
  asymmetricMatch?(other: unknown): boolean;
}

const kindOf = (value: unknown): string => Object.prototype.toString.call(value);

/** Whether a value is an asymmetric matcher, such as `expect.objectContaining(…)`. */
export const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof Object(value).asymmetricMatch === 'function' ||
  // Bun's are native objects without that method.
  kindOf(value).startsWith('[object Expect');

/** The names of the fields that have a value: an optional field may be undefined as well as missing. */
const fieldsOf = (value: object): string[] =>
  Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined);

/**
 * Compares a value from JSON with an expected value, and lets asymmetric matchers decide. The comparison of the runner
 * would throw in the matchers of Playwright, so it is used only for the asymmetric matchers of Bun, which need it.
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
