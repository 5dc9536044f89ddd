/** What every row has: an id to find it by. */
export interface Row {
  readonly id: string;
}

/** The date-time of a row that says how new it is. */
export type NewestBy = 'createdAt' | 'updatedAt';

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Rows are read by field name here, in the one place that has to. */
export const fieldOf = (row: object, field: string): string => {
  const value: unknown = Reflect.get(row, field);
  // A prefix keeps null apart from the empty string, and before it.
  return typeof value === 'string' ? `=${value}` : '';
};

/** By id, ascending. */
export const byId = (a: Row, b: Row): number => byCodeUnit(a.id, b.id);

/** By some fields; below equal ones the newest first, and the highest id first among those of one moment. */
export const byFieldsThenNewest =
  (fields: readonly string[], newestBy: NewestBy) =>
  (a: Row, b: Row): number => {
    for (const field of fields) {
      const order = byCodeUnit(fieldOf(a, field), fieldOf(b, field));
      if (order !== 0) return order;
    }
    return byCodeUnit(fieldOf(b, newestBy), fieldOf(a, newestBy)) || byCodeUnit(b.id, a.id);
  };

/** Where a row stands to a set of values for some fields: before (-1), among (0) or after (1) them. */
export const sideOf = (row: Row, fields: readonly string[], wanted: object): number => {
  for (const field of fields) {
    const order = byCodeUnit(fieldOf(row, field), fieldOf(wanted, field));
    if (order !== 0) return order;
  }
  return 0;
};

/** Every choice of the fields, the empty one included. */
export const subsets = <T>(fields: readonly T[]): T[][] => {
  let found: T[][] = [[]];
  for (const field of fields) found = found.flatMap((subset) => [subset, [...subset, field]]);
  return found;
};
