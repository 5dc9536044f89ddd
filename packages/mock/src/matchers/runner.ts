/** What the matchers use of the `this` that a runner passes to them: one of vitest, Jest, Bun or Playwright. */
export interface RunnerState {
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

/** Whether a value is one such as `expect.objectContaining(…)`. */
export const isAsymmetric = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (typeof Reflect.get(value, 'asymmetricMatch') === 'function' ||
    // Bun's are native objects without that method.
    /^\[object Expect/.test(Object.prototype.toString.call(value)));

/** Compares by value, and lets asymmetric matchers decide. */
export type Equals = (actual: unknown, expected: unknown) => boolean;

interface Asymmetric {
  asymmetricMatch(other: unknown): boolean;
}

/** The names of the fields that have a value: an optional field may be undefined as well as missing. */
const fieldsOf = (value: object): string[] =>
  Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined);

/** Compares values that came as JSON with expected ones. */
const equalJson: Equals = (actual, expected) => {
  if (isAsymmetric(expected)) {
    return (expected as Asymmetric).asymmetricMatch(actual);
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    return Object.is(actual, expected);
  }
  const names = fieldsOf(expected);
  return (
    Object.prototype.toString.call(actual) === Object.prototype.toString.call(expected) &&
    fieldsOf(actual).length === names.length &&
    names.every(
      (name) =>
        Object.hasOwn(actual, name) && equalJson(Reflect.get(actual, name), Reflect.get(expected, name)),
    )
  );
};

/** The comparison of a runner, or ours for Playwright: its matchers have an `equals` that only throws. */
export const equalsOf = (state: RunnerState): Equals => {
  try {
    if (state.equals?.(0, 0)) {
      // As a method: Bun's needs its `this`.
      return (actual, expected) => state.equals?.(actual, expected) === true;
    }
  } catch {}
  return equalJson;
};
