import type { PaginationMeta } from '../contract/types/index.ts';
import { addCallSite } from '../errors/call-site.ts';
import { inspectable } from '../secrecy/inspectable.ts';
import { noNewRows } from './no-new-rows.ts';
import type { RawPage, ReadPage } from './read-page.ts';

/** One page of a list. */
export interface Page<T> {
  /** The rows of the page. */
  readonly data: T[];
  /** As the service sent it; made up from the rows when it sent none, which `hooks.onDrift` is told. */
  readonly meta: PaginationMeta;
  /** True when the list goes on after this page. */
  readonly hasNext: boolean;
  /**
   * The page after this one. When the list has shrunk meanwhile it begins that much earlier, and rows of earlier
   * pages are left out. Asked twice, it gives the same page.
   *
   * @throws {@link RangeError} When there is no next page.
   * @throws {@link InvalidResponseError} When the service counts more rows but returns none.
   */
  next(): Promise<Page<T>>;
}

/** Without its rows, which fill a screen. */
export const showPage = <T extends Omit<Page<unknown>, 'next'>>(page: T): T =>
  inspectable(page, 'Page', ({ data, meta, hasNext }) => ({ rows: data.length, ...meta, hasNext }));

/** Pages that are looked at for the next one, when the list shrinks or brings nothing new. */
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
  const { operation, offset, rows, total, asked, meta } = raw;
  const end = offset + rows.length;
  const hasNext = total === undefined ? rows.length > 0 && rows.length >= (asked ?? 1) : end < total;
  let successor: Promise<Page<Row>> | undefined;

  const getNext = async (): Promise<Page<Row>> => {
    const seen = new Set([...earlier, ...rows.map(({ id }) => id)]);
    let from = end;
    let counted = total;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const page = await read({ offset: from, limit: asked });
      const fall = (counted ?? 0) - (page.total ?? counted ?? 0);
      counted = page.total;
      if (fall > 0 && from > 0 && round < ROUNDS) {
        from = Math.max(0, from - fall);
        continue;
      }
      const fresh = page.rows.filter(({ id }) => !seen.has(id));
      const next = createPage(page, read, fresh, seen);
      if (fresh.length > 0 || !next.hasNext) {
        return next;
      }
      from += page.rows.length;
    }
    throw noNewRows(operation, counted, seen.size);
  };

  const page: Page<Row> = {
    data,
    meta,
    hasNext,
    next() {
      if (!hasNext) {
        return Promise.reject(
          new RangeError('This is the last page: look at `hasNext` before calling `next()`.'),
        );
      }
      const site = new Error();
      successor ??= getNext().catch((error: unknown) => {
        // Whoever asks again after a failure means it.
        successor = undefined;
        throw addCallSite(error, site);
      });
      return successor;
    },
  };
  return showPage(page);
};
