import { compareValues } from '../../world/store/table.ts';

/** Steps in one direction that are hardly a coincidence: in 1 of 360 lists, if rows were in no order. */
export const MIN_STEPS = 5;

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
