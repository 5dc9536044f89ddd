const places = new WeakMap<object, number>();

let latest = 0;

/** Makes a row the last of all rows so far, for lists whose rows are of the same moment. */
export const placeLast = (row: object): void => {
  latest += 1;
  places.set(row, latest);
};

/** Puts a changed row in the place of its earlier version. */
export const keepPlace = (after: object, before: object): void => {
  places.set(after, placeOf(before));
};

/** The place of a row in the order of creation; 0 if it has none. */
export const placeOf = (row: object): number => places.get(row) ?? 0;

/** The base of all rows. */
export interface MockRow {
  /** The id of the row, a UUID. */
  readonly id: string;
}

/** The field by which lists are sorted, newest first. */
export type NewestBy = 'createdAt' | 'updatedAt';

/** A value of a field with an index: a string, or null. */
export type Value = string | null;

/** The value of a field. Only indexes read rows by field name. */
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

/** Compares a row to values for some fields: it sorts before (-1), among (0) or after (1) the rows with these values. */
export const sideOf = (row: object, fields: readonly string[], wanted: object): number => {
  for (const field of fields) {
    const order = compareValues(fieldOf(row, field), fieldOf(wanted, field));
    if (order !== 0) {
      return order;
    }
  }
  return 0;
};

/** Sorts by some fields, then by age, newest first, then by the order of creation, last first, then by id. */
export const byFieldsThenNewest =
  (fields: readonly string[], newestBy: NewestBy) =>
  (a: MockRow, b: MockRow): number =>
    sideOf(a, fields, b) ||
    compareValues(fieldOf(b, newestBy), fieldOf(a, newestBy)) ||
    placeOf(b) - placeOf(a) ||
    compareValues(b.id, a.id);

/** Every subset of the fields, including the empty one. */
export const subsets = <T>(fields: readonly T[]): T[][] => {
  let found: T[][] = [[]];
  for (const field of fields) {
    found = found.flatMap((subset) => [subset, [...subset, field]]);
  }
  return found;
};
