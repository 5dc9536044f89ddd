import type { OperationId } from '../contract/types.ts';
import { noNewRows } from './no-new-rows.ts';
import type { Stretch } from './read-ahead.ts';
import { createReadAhead } from './read-ahead.ts';
import type { RawPage, ReadPage } from './read-page.ts';

export interface WalkOptions {
  /** Rows to request at once. */
  readonly limit: number;
  /** Where the walk begins. */
  readonly offset: number;
  /** Maximum number of rows to return. */
  readonly max: number;
  /** Pages to read ahead. */
  readonly ahead: number;
  readonly signal: AbortSignal;
}

/** Rows of a list that were not returned before. */
export interface Step<Row> {
  readonly rows: Row[];
  /** The page that they are from. */
  readonly page: RawPage<Row>;
  /** Number of rows returned so far, including these. */
  readonly soFar: number;
}

/**
 * How many consecutive pages without new rows end the walk, in addition to one for each page that had some: when rows
 * are inserted ahead, all earlier pages may repeat.
 */
const PATIENCE = 40;
/** How much such a page counts if it does not even move the walk on. */
const NO_PROGRESS = 10;

/**
 * Walks through a list that may change in the meantime, and returns every row that stands at `offset` or behind it
 * throughout exactly once.
 *
 * After the first page, each request starts one row early, so the page should contain a row that was returned before. If
 * it does, no row slipped between the two pages, whenever each was read and whatever else was inserted or removed. If it
 * does not, rows before it were removed: the walk steps back by the decrease of `total`, or further, until a page
 * contains a known row or begins at `offset`. No row before `offset` is read, so one that moves there is lost unless it
 * was returned already. Rows that were returned before are dropped by id.
 *
 * The walk relies on one condition: rows that stay keep their order.
 *
 * @throws {@link InvalidResponseError} When the service reports more rows but does not return them.
 */
export async function* walk<Row extends { id: string }>(
  operation: OperationId,
  read: ReadPage<Row>,
  { limit, offset, max, ahead, signal }: WalkOptions,
): AsyncGenerator<Step<Row>, void, undefined> {
  const given = new Set<string>();
  const reader = createReadAhead(read, signal);
  let next = offset;
  /** Where the rows returned so far ended when they were read. */
  let frontier = offset;
  let total: number | undefined;
  /** `total` on the last accepted page: the decrease since then tells how far to step back. */
  let totalBefore: number | undefined;
  /** Id of the first row of all: a service that ignores `offset` begins each page with it. */
  let veryFirst: string | undefined;
  let stepBack = 0;
  let inVain = 0;
  let fruitful = 0;
  /** Number of rows that the service returns at most, as far as it has shown. */
  let most = limit;

  /** Requests no row beyond `max`. Rows before the frontier are read again and dropped. */
  const stretchAt = (start: number): Stretch => {
    const wanted = frontier + max - given.size - start;
    // A page of one row would contain only the row that it shares with the page before.
    return { offset: start, limit: Math.min(given.size === 0 ? limit : Math.max(2, most), wanted) };
  };

  /** Returns the next pages if the list stays as it is. */
  const upcoming = (): Stretch[] => {
    const stretches: Stretch[] = [];
    const end = Math.min(total ?? 0, frontier + max - given.size);
    for (let start = next; stretches.length < ahead && start < end - 1; ) {
      const stretch = stretchAt(start);
      stretches.push(stretch);
      start += stretch.limit - 1;
    }
    return stretches;
  };

  /** Returns false when wanted rows may have slipped before the page. */
  const isConnected = (rows: readonly Row[]): boolean =>
    next === offset ||
    rows.some(({ id }) => given.has(id)) ||
    // A list that is empty, or whose total is unknown, has no end that a page could be beyond.
    (rows.length === 0 && (!total || next < total));

  /** Returns the rows that were not returned before, up to `max`, and counts them as returned. */
  const takeFresh = (rows: readonly Row[]): Row[] => {
    const fresh: Row[] = [];
    for (const row of rows) {
      if (given.size === max) {
        break;
      }
      if (!given.has(row.id)) {
        given.add(row.id);
        fresh.push(row);
      }
    }
    return fresh;
  };

  const countProgress = (fresh: readonly Row[], rows: readonly Row[]): void => {
    // Stryker disable next-line ConditionalExpression,EqualityOperator: It only decides how soon a walk gives up.
    const isStuck = total === undefined || frontier >= total || rows.length < 2;
    if (fresh.length > 0) {
      inVain = 0;
      fruitful += 1;
    } else {
      inVain += isStuck ? NO_PROGRESS : 1;
    }
  };

  const hasEnded = (fresh: readonly Row[], rows: readonly Row[]): boolean => {
    // The last page has new rows, or only the row that it shares with the page before. A service that ignores `offset`
    // returns neither.
    const exhausted = fresh.length === 0 && rows.length < 2;
    if (total === undefined) {
      return exhausted;
    }
    // A page that ends where the list does is the last: `total` is higher by the rows that were inserted ahead.
    // Stryker disable next-line ConditionalExpression,EqualityOperator,LogicalOperator,OptionalChaining: It only saves requests at the end of a list.
    const isLast = given.size >= total || (frontier === total && rows[0]?.id !== veryFirst);
    return frontier >= total && (exhausted || fresh.length > 0 || isLast);
  };

  try {
    while (given.size < max) {
      const page = await reader.take(stretchAt(next));
      const { rows } = page;
      const [first] = rows;
      total = page.total;
      const decrease = Math.max(0, (totalBefore ?? 0) - (total ?? totalBefore ?? 0));
      if (!isConnected(rows)) {
        stepBack = stepBack * 2 || Math.max(1, decrease);
        // Stryker disable next-line ArithmeticOperator: A page beyond the end only takes one request more.
        next = Math.max(offset, Math.min(next - stepBack, (total ?? next) - 1));
        continue;
      }

      const fresh = takeFresh(rows);
      stepBack = 0;
      veryFirst ??= first?.id;
      totalBefore = total;
      frontier = next + rows.length;
      countProgress(fresh, rows);
      const ended = hasEnded(fresh, rows);
      // Stryker disable next-line EqualityOperator: It only decides how soon a walk gives up.
      if (!ended && inVain > PATIENCE + fruitful) {
        throw noNewRows(operation, total, given.size);
      }
      // If the service returns fewer rows than requested, pages that are read ahead must still fit together.
      // Stryker disable next-line ConditionalExpression,EqualityOperator,LogicalOperator: It matters only for pages that are read ahead.
      if (!ended && rows.length > 1) {
        most = Math.min(most, Math.max(2, rows.length));
      }
      // A list that has just shrunk, because its rows are being worked off, will probably shrink as much again.
      next = Math.max(offset, frontier - 1 - decrease);
      // Stryker disable next-line ConditionalExpression,EqualityOperator,LogicalOperator: A page that is not needed is aborted at once.
      if (ahead > 0 && !ended) {
        reader.expect(upcoming());
      }
      yield { rows: fresh, page, soFar: given.size };
      signal.throwIfAborted();
      if (ended) {
        return;
      }
    }
  } finally {
    reader.close();
  }
}
