import { UsageError } from '@confab/internal/cli';

/** The evidence is too thin for an answer. Outside of a question, this error ends the command. */
export class NoAnswer extends UsageError {
  /** How to get the answer. */
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** @throws A {@link NoAnswer} when the condition is false. */
export function assertEvidence(condition: boolean, reason: string, remedy: string): asserts condition {
  if (!condition) {
    throw new NoAnswer(reason, remedy);
  }
}

/**
 * Returns the single value in all responses.
 *
 * @param none The reason if there is no value: `no response named it`.
 * @throws A {@link NoAnswer} when there is no value, or more than one.
 */
export const onlyValue = <T>(values: readonly T[], none: string, remedy: string): T => {
  assertEvidence(values.length > 0, none, remedy);
  const [value, ...others] = new Set(values);
  assertEvidence(
    others.length === 0,
    'it is not always the same',
    "Ask the service's team what it depends on.",
  );
  return value as T;
};

/**
 * Returns the single value that explains all replies.
 *
 * @param evidence The evidence, for messages: `the 3 rows`.
 * @param remedy How to decide between several values that fit.
 * @throws A {@link NoAnswer} when no value explains them, or several do.
 */
export const onlyFit = <T>(fits: readonly T[], evidence: string, remedy: string): T => {
  assertEvidence(
    fits.length > 0,
    `${evidence} fit no behavior of the mock`,
    "Ask the service's team what it does.",
  );
  const different = [...new Set(fits)];
  const all = different.map((fit) => fit ?? 'none').join(' as well as ');
  assertEvidence(different.length === 1, `${evidence} fit ${all}`, remedy);
  return fits[0] as T;
};

/** The values that each property can have. */
type Values<T> = { readonly [Name in keyof T]: readonly T[Name][] };

/** Returns every combination of one value for each property. */
export const everyCombination = <T extends object>(values: Values<T>): T[] =>
  Object.entries<readonly unknown[]>(values).reduce<object[]>(
    (all, [name, some]) => all.flatMap((given) => some.map((value) => ({ ...given, [name]: value }))),
    [{}],
  ) as T[];
