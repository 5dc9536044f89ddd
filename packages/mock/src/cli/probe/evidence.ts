import { compareValues } from '../../world/store/table.ts';

/** The evidence is too thin for an answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** What would give the answer. */
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** @throws {@link NoAnswer} When the condition is false. */
export function demand(condition: boolean, reason: string, remedy: string): asserts condition {
  if (!condition) {
    throw new NoAnswer(reason, remedy);
  }
}

/**
 * Returns the one value that explains all replies.
 *
 * @param evidence What the values were compared with: `the 3 rows`.
 * @param remedy What would tell several fitting values apart.
 * @throws {@link NoAnswer} When no value explains them, or several do.
 */
export const onlyFit = <T>(fits: readonly T[], evidence: string, remedy: string): T => {
  const [fit, ...others] = new Set(fits);
  if (fits.length === 0) {
    throw new NoAnswer(`${evidence} fit no behavior of the mock`, "Ask the service's team what it does.");
  }
  const all = [fit, ...others].map((each) => each ?? 'none').join(' as well as ');
  demand(others.length === 0, `${evidence} fit ${all}`, remedy);
  return fit as T;
};

/**
 * The number of steps in one direction that proves an order. Six rows in random order would be sorted by chance in 1 of
 * 360 lists.
 */
const MIN_STEPS = 5;

/** Texts of one moment are equal, whatever their offset and their number of zeros. */
const comparable = (value: unknown): string | null => {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? ((value ?? null) as string | null) : new Date(at).toISOString();
};

/** How each row of a list differs from the one before it, where it does. */
const stepsOf = (lists: readonly (readonly object[])[], field: string): number[] =>
  lists.flatMap((rows) => {
    const values = rows.map((row) => comparable(Reflect.get(row, field)));
    return values
      .slice(1)
      .map((value, at) => compareValues(value, values[at] ?? null))
      .filter((step) => step !== 0);
  });

/**
 * Returns the one order in which all lists are.
 *
 * @param orders The orders that the mock has: `createdAt asc`.
 * @param rows What messages call the rows: `rows`.
 * @throws {@link NoAnswer} When none fits, several do, or one does that may be a coincidence.
 */
export const onlyOrder = (
  orders: readonly string[],
  lists: readonly (readonly object[])[],
  rows: string,
): string => {
  const evidence = `the ${lists.flat().length} ${rows}`;
  const fits = orders.filter((order) => {
    const [field = '', direction] = order.split(' ');
    return stepsOf(lists, field).every((step) => (direction === 'asc' ? step > 0 : step < 0));
  });
  const order = onlyFit(fits, evidence, `Add ${rows} that these orders would put in different places.`);
  const [field = ''] = order.split(' ');
  demand(
    stepsOf(lists, field).length >= MIN_STEPS,
    `${evidence} fit ${order}, but so few could do so by chance`,
    `Add ${rows} until more than ${MIN_STEPS} of them have different times.`,
  );
  return order;
};

/** Every combination of one value for each name. */
export const everyCombination = <T extends object>(
  values: {
    readonly [Name in keyof T]: readonly T[Name][];
  },
): T[] =>
  Object.entries<readonly unknown[]>(values).reduce<object[]>(
    (all, [name, some]) => all.flatMap((given) => some.map((value) => ({ ...given, [name]: value }))),
    [{}],
  ) as T[];
