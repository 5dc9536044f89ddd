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
