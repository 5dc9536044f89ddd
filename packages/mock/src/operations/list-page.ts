import { DEFAULT_BEHAVIOR } from '../world/behavior.ts';
import type { Collection, MockFields } from '../world/store/collection.ts';
import type { MockRow } from '../world/store/order.ts';
import { compareValues, fieldOf } from '../world/store/order.ts';
import type { Page } from '../world/store/table.ts';
import type { World } from '../world/world.ts';

const EVERY_ROW = { offset: 0, limit: Number.POSITIVE_INFINITY };

/** Sorts rows that come newest first by a field: `lastMessageAt desc`. */
export const sortBy = <T extends object>(newestFirst: readonly T[], order: string): readonly T[] => {
  const [field = '', direction] = order.split(' ');
  const compare = (a: T, b: T) => compareValues(fieldOf(a, field), fieldOf(b, field));
  return direction === 'desc'
    ? newestFirst.toSorted((a, b) => compare(b, a))
    : newestFirst.toReversed().sort(compare);
};

/** A page of a list, in the order of the world's behavior. Only the default order has an index. */
export const listPage = <T extends MockRow, Init extends object>(
  { behavior }: World,
  list: keyof World['behavior']['order'],
  rows: Collection<T, Init>,
  where: MockFields<T>,
  range: { readonly offset: number; readonly limit: number },
  matching?: (row: T) => boolean,
): Page<T> => {
  const order = behavior.order[list];
  if (order === DEFAULT_BEHAVIOR.order[list]) {
    return rows.page(where, range, matching);
  }
  const sorted = sortBy(rows.page(where, EVERY_ROW, matching).rows, order);
  return { rows: sorted.slice(range.offset, range.offset + range.limit), total: sorted.length };
};
