import { compareValues } from '../../world/store/table.ts';
import { NoAnswer } from './no-answer.ts';

/** Steps in one direction that are hardly a coincidence: in 1 of 360 lists, if rows were in no order. */
export const MIN_STEPS = 5;

/**
 * Returns the one value that explains all replies.
 *
 * @param evidence What the values were compared with: `the 3 rows`.
 * @param settle What would tell several fitting values apart.
 * @throws {@link NoAnswer} When no value explains them, or several do.
 */
export const onlyFit = <T>(fits: readonly T[], evidence: string, settle: string): T | undefined => {
  const different = [...new Set(fits)];
  if (different.length === 0) {
    throw new NoAnswer(
      `${evidence} fit no behavior of the mock`,
      "Ask the service's team what it does instead.",
    );
  }
  if (different.length > 1) {
    throw new NoAnswer(
      `${evidence} fit ${different.map((fit) => fit ?? 'none').join(' as well as ')}`,
      settle,
    );
  }
  return different[0];
};

/**
 * Returns what the service did with all requests of a kind.
 *
 * @param seen What it did, with the request.
 * @throws {@link NoAnswer} When it did different things.
 */
export const sameForAll = (
  seen: readonly (readonly [did: string, request: string])[],
): string | undefined => {
  const byReaction = new Map(seen);
  if (byReaction.size > 1) {
    throw new NoAnswer(
      [...byReaction].map(([did, request]) => `${request} is ${did}`).join(', but '),
      'Nothing: the mock does the same for all operations. Use `faults` for the one that differs.',
    );
  }
  return seen[0]?.[0];
};

/** Texts of one moment are equal, whatever their offset and their number of zeros. */
const comparable = (value: unknown): string | null => {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? ((value ?? null) as string | null) : new Date(at).toISOString();
};

/** Finds the directions in which all lists of values run, and how many steps from one value to another they have. */
export const directionOf = (
  lists: readonly (readonly unknown[])[],
): { readonly directions: readonly ('asc' | 'desc')[]; readonly steps: number } => {
  const steps = lists
    .flatMap((list) =>
      list.slice(1).map((value, at) => compareValues(comparable(list[at]), comparable(value))),
    )
    .filter((step) => step !== 0);
  const directions = (['asc', 'desc'] as const).filter((direction) =>
    steps.every((step) => (direction === 'asc' ? step < 0 : step > 0)),
  );
  return { directions, steps: steps.length };
};
