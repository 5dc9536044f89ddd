import { UsageError } from '@confab/internal/cli';

/** The evidence is too thin for an answer. Where no question is asked, it ends the command. */
export class NoAnswer extends UsageError {
  /** What would give the answer. */
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** @throws {@link NoAnswer} When the condition is false. */
export function assertEvidence(condition: boolean, reason: string, remedy: string): asserts condition {
  if (!condition) {
    throw new NoAnswer(reason, remedy);
  }
}

/**
 * Returns the one value that responses name.
 *
 * @param none Why there may be no value: `no response named it`.
 * @throws {@link NoAnswer} When there is none, or several.
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
 * Returns the one value that explains all replies.
 *
 * @param evidence What the values were compared with: `the 3 rows`.
 * @param remedy What would tell several fitting values apart.
 * @throws {@link NoAnswer} When no value explains them, or several do.
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

/** Every combination of one value for each property. */
export const everyCombination = <T extends object>(values: Values<T>): T[] =>
  Object.entries<readonly unknown[]>(values).reduce<object[]>(
    (all, [name, some]) => all.flatMap((given) => some.map((value) => ({ ...given, [name]: value }))),
    [{}],
  ) as T[];
