import type { PaginationMeta } from '../contract/index.ts';
import type { RawPage, ReadPage } from './read-page.ts';

/** One page of a list. */
export interface Page<T> {
  readonly data: T[];
  /** As the service sent it; made up from the rows when it sent none, which `hooks.onDrift` is told. */
  readonly meta: PaginationMeta;
  /** True when the list goes on after this page. */
  readonly hasNext: boolean;
  /**
   * The page after this one. When the list has shrunk meanwhile it begins that much earlier, and rows of earlier
   * pages are left out. Asked twice, it gives the same page.
   *
   * @throws {RangeError} When there is none.
   */
  next(): Promise<Page<T>>;
}

/** How often a list that keeps shrinking is followed before its page is taken as it is. */
const ROUNDS = 5;

/**
 * Makes a page that can get its successor.
 *
 * @param data The rows to show, when they are not all of the page's.
 */
export const createPage = <Row extends { id: string }>(
  raw: RawPage<Row>,
  read: ReadPage<Row>,
  data: Row[] = raw.rows,
  earlier: ReadonlySet<string> = new Set(),
): Page<Row> => {
  const { offset, rows, total, asked, meta } = raw;
  const end = offset + rows.length;
  const hasNext = total === undefined ? rows.length > 0 && rows.length >= (asked ?? 1) : end < total;
  let successor: Promise<Page<Row>> | undefined;

  const getNext = async (): Promise<Page<Row>> => {
    let from = end;
    let counted = total;
    for (let round = 1; ; round += 1) {
      const page = await read({ offset: from, limit: asked });
      const fall = (counted ?? 0) - (page.total ?? counted ?? 0);
      if (fall > 0 && from > 0 && round < ROUNDS) {
        from = Math.max(0, from - fall);
        counted = page.total;
        continue;
      }
      const seen = new Set([...earlier, ...rows.map(({ id }) => id)]);
      return createPage(
        page,
        read,
        page.rows.filter(({ id }) => !seen.has(id)),
        seen,
      );
    }
  };

  return {
    data,
    meta,
    hasNext,
    next() {
      if (!hasNext) {
        return Promise.reject(
          new RangeError('This is the last page: look at `hasNext` before calling `next()`.'),
        );
      }
      successor ??= getNext();
      return successor;
    },
  };
};
