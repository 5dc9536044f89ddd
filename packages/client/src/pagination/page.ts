import type { PaginationMeta } from '../contract/types.ts';
import { addCallSite } from '../errors/call-site.ts';
import { InvalidRequestError } from '../errors/index.ts';
import { showAs } from '../runtime/node.ts';
import { noNewRows } from './no-new-rows.ts';
import type { RawPage, ReadPage } from './read-page.ts';

/** A page of a list. Iterating over it returns its own rows; to read all rows, iterate over the list itself. */
export interface Page<T> extends Iterable<T> {
  /** The rows of the page. */
  readonly data: T[];
  /** As the service sent it. When it sent none, the client derives it from the rows and reports that to `hooks.onDrift`. */
  readonly meta: PaginationMeta;
  /** True when the list continues after this page. */
  readonly hasNext: boolean;
  /**
   * Reads the next page. If the list has shrunk in the meantime, the next page begins that much earlier, without the
   * rows of earlier pages. Later calls return the same page.
   *
   * @throws {@link InvalidRequestError} When this is the last page.
   * @throws {@link InvalidResponseError} When the service reports more rows but does not return them.
   */
  next(): Promise<Page<T>>;
}

/** Makes `console.log` show a page without its rows, which would fill a screen. */
export const showPage = <T extends Omit<Page<unknown>, 'next'>>(page: T): T => {
  showAs(page, 'Page', ({ data, meta, hasNext }) => ({ rows: data.length, ...meta, hasNext }));
  return page;
};

/** Maximum number of pages to read in search of the next one, when the list shrinks or a page has no new rows. */
const ROUNDS = 5;

/**
 * Creates a page that can read the next one.
 *
 * @param data The rows of the page that earlier pages did not have.
 * @param earlier Ids of the rows of earlier pages.
 */
export const createPage = <Row extends { id: string }>(
  raw: RawPage<Row>,
  read: ReadPage<Row>,
  data: Row[] = raw.rows,
  earlier: ReadonlySet<string> = new Set(),
): Page<Row> => {
  const { operation, offset, rows, total, asked, meta } = raw;
  const end = offset + rows.length;
  const hasNext = total === undefined ? rows.length >= (asked ?? 1) : end < total;
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
    [Symbol.iterator]: () => data.values(),
    next() {
      if (!hasNext) {
        return Promise.reject(
          new InvalidRequestError(operation, [
            { path: 'next()', message: 'was called on the last page. Check `hasNext` first.' },
          ]),
        );
      }
      const site = new Error();
      successor ??= getNext().catch((error: unknown) => {
        // The next call after a failure tries again.
        successor = undefined;
        throw addCallSite(error, site);
      });
      return successor;
    },
  };
  return showPage(page);
};
