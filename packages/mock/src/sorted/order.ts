/** What every row has: an id to find it by. */
export interface MockRow {
  /** The id of the row, a UUID. */
  readonly id: string;
}

/** The date-time of a row that says how new it is. */
export type NewestBy = 'createdAt' | 'updatedAt';

/** A value of a field that is listed by: every one of them is a string, or null. */
export type Value = string | null;

/** Rows are read by field name here, in the one place that has to. */
export const fieldOf = (row: object, field: string): Value => Reflect.get(row, field) ?? null;

/** Null before every string. */
export const compareValues = (a: Value, b: Value): number => {
  if (a === b) {
    return 0;
  }
  if (a === null) {
    return -1;
  }
  return b !== null && a < b ? -1 : 1;
};

/** By id, ascending. */
export const byId = (a: MockRow, b: MockRow): number => compareValues(a.id, b.id);

/** Where a row stands to a set of values for some fields: before (-1), among (0) or after (1) them. */
export const sideOf = (row: object, fields: readonly string[], wanted: object): number => {
  for (const field of fields) {
    const order = compareValues(fieldOf(row, field), fieldOf(wanted, field));
    if (order !== 0) {
      return order;
    }
  }
  return 0;
};

/** By some fields; below equal ones the newest first, and the highest id first among those of one moment. */
export const byFieldsThenNewest =
  (fields: readonly string[], newestBy: NewestBy) =>
  (a: MockRow, b: MockRow): number =>
    sideOf(a, fields, b) ||
    compareValues(fieldOf(b, newestBy), fieldOf(a, newestBy)) ||
    compareValues(b.id, a.id);

/** Every choice of the fields, the empty one included. */
export const subsets = <T>(fields: readonly T[]): T[][] => {
  let found: T[][] = [[]];
  for (const field of fields) {
    found = found.flatMap((subset) => [subset, [...subset, field]]);
  }
  return found;
};
