/** The orders that each list can have. The first one is its default. */
export const LIST_ORDERS = {
  'conversations.list': ['createdAt desc', 'createdAt asc', 'lastMessageAt desc', 'lastMessageAt asc'],
  'leads.list': ['createdAt desc', 'createdAt asc'],
  'agents.list': ['updatedAt desc', 'updatedAt asc', 'name desc', 'name asc'],
} as const;

/** A value of a field with an index: a string, or null. */
type Value = string | null;

/** Returns the value of a field that an index reads. */
export const fieldOf = (row: object, field: string): Value => Reflect.get(row, field) ?? null;

/** Sorts null before all strings. */
export const compareValues = (a: Value, b: Value): number => {
  const left = a ?? '';
  const right = b ?? '';
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
};

/** Sorts rows by a field and a direction: `lastMessageAt desc`. Of equal rows, the newest comes first with `desc`. */
export const sortRows = <T extends object>(newestFirst: readonly T[], order: string): readonly T[] => {
  const [field = '', direction] = order.split(' ');
  const compare = (a: T, b: T) => compareValues(fieldOf(a, field), fieldOf(b, field));
  return direction === 'desc'
    ? newestFirst.toSorted((a, b) => compare(b, a))
    : newestFirst.toReversed().sort(compare);
};
