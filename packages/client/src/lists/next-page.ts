import { InvalidResponseError } from '../errors/index.ts';
import type { ListOperation, PageRange, RawPage, Step } from './page.ts';

export interface WalkOptions {
  /** Rows to request at once; undefined for the service's default. */
  readonly limit: number | undefined;
  /** Where the walk begins. */
  readonly offset: number;
  /** Maximum number of rows to return. */
  readonly max: number;
  /** True to request a row more after the first page, so that later pages have `limit` new rows as well. */
  readonly fullPages?: boolean | undefined;
}

/** Where a walk through a list is. */
interface Walk extends WalkOptions {
  /** Where the next page begins. */
  readonly next: number;
  /** Where the rows returned so far ended when they were read. */
  readonly frontier: number;
  /** Number of rows returned so far. */
  readonly returned: number;
  /** True when no rows follow. */
  readonly ended: boolean;
  /** `total` on the last page: the decrease since then tells how far to step back. */
  readonly total: number | undefined;
  /** `total` on the first page. */
  readonly firstTotal: number | undefined;
  /** Number of rows that the service returns at most, as far as it has shown. */
  readonly maxRows: number;
  /** Rows by which the walk has just stepped back; 0 after a page that was accepted. */
  readonly stepBack: number;
  /** Pages without new rows since the last page that had some. */
  readonly stale: number;
  /** Pages that had new rows. */
  readonly productive: number;
  /** Rows of pages without any row that was returned before, except the first page: all rows before them are gone. */
  readonly replaced: number;
}

/** Rows that the API returns at most at once. */
const MAX_LIMIT = 100;

/**
 * Consecutive pages without new rows that end the walk, in addition to one for each page that had some: when rows are
 * inserted ahead, all earlier pages may repeat.
 */
const MAX_STALE = 40;
/** A page that neither has new rows nor moves the walk on counts as this many stale pages: it would repeat forever. */
const STUCK_WEIGHT = 10;

/** Number of times that all rows of a list may be replaced while it is read. */
const MAX_TURNOVERS = 10;
/** A list shorter than this counts as this long, so that a small one may be replaced more often. */
const MIN_TURNOVER = 1_000;

/** Returns where the rows end that the walk may still return. */
const maxEnd = ({ frontier, max, returned }: Walk): number => frontier + max - returned;

/**
 * Returns the page to read next, or at another offset. It contains no row beyond `max`. Rows before the frontier are read
 * again and dropped.
 */
const rangeOf = (walk: Walk, offset = walk.next): PageRange => {
  const { limit, fullPages, maxRows, returned } = walk;
  if (limit === undefined) {
    return { offset, limit };
  }
  // A page of one row would contain only the row that it shares with the page before.
  const afterFirst = Math.max(2, Math.min(limit + (fullPages ? 1 : 0), maxRows));
  return { offset, limit: Math.min(returned === 0 ? limit : afterFirst, maxEnd(walk) - offset) };
};

/**
 * Returns the next pages if the list stays as it is, at most `count`. The last one begins with the last row if the page
 * before it ends exactly at `total`.
 */
const rangesAhead = (walk: Walk, count: number): PageRange[] => {
  const ranges: PageRange[] = [];
  const end = Math.min(walk.total ?? 0, maxEnd(walk) - 1);
  for (let start = walk.next; ranges.length < count && start < end; ) {
    const range = rangeOf(walk, start);
    ranges.push(range);
    start += (range.limit ?? 1) - 1;
  }
  return ranges;
};

/** Returns the rows that were not returned before, up to `max`. */
const newRows = <Row extends { id: string }>(
  rows: readonly Row[],
  returnedIds: ReadonlySet<string>,
  max: number,
): Row[] => {
  const fresh = new Map<string, Row>();
  for (const row of rows) {
    if (returnedIds.size + fresh.size < max && !returnedIds.has(row.id) && !fresh.has(row.id)) {
      fresh.set(row.id, row);
    }
  }
  return [...fresh.values()];
};

/** Returns true if a walk ends with the page that it has just accepted. */
const hasEnded = <Row extends { id: string }>(
  { returned, max, frontier }: Walk,
  { rows, total, meta, requestedLimit }: RawPage<Row>,
  hasNewRows: boolean,
): boolean => {
  if (returned >= max) {
    return true;
  }
  // The last page has new rows, or only the row that it shares with the page before. A service that ignores `offset`
  // returns neither.
  const exhausted = !hasNewRows && rows.length < 2;
  if (total === undefined) {
    return exhausted;
  }
  const isFull = rows.length > 0 && rows.length >= Math.min(requestedLimit ?? meta.limit, meta.limit);
  // A page that ends where the list does is the last: `total` is higher by the rows that were inserted ahead.
  const isLast = returned >= total || frontier === total;
  return frontier >= total && (exhausted || (!isFull && (hasNewRows || isLast)));
};

/**
 * Moves a walk on by the page that was read for {@link rangeOf}. The function is pure.
 *
 * @param returnedIds The ids of the rows that were returned before.
 * @returns The walk after the page, and the rows that were not returned before. There are none if rows may have slipped
 * before the page: the walk has stepped back.
 */
const advance = <Row extends { id: string }>(
  walk: Walk,
  page: RawPage<Row>,
  returnedIds: ReadonlySet<string>,
): { readonly walk: Walk; readonly rows: Row[] } => {
  const { rows, total, meta } = page;
  const { next, offset } = walk;
  const limit = walk.limit ?? Math.max(1, meta.limit);
  const decrease = Math.max(0, (walk.total ?? 0) - (total ?? walk.total ?? 0));
  const isContinued = walk.returned === 0 || rows.some(({ id }) => returnedIds.has(id));
  // A page cannot be past the end of a list that is empty or has no known total.
  const isEmpty = rows.length === 0 && (!total || next < total);
  if (next > offset && !isContinued && !isEmpty) {
    const stepBack = walk.stepBack * 2 || Math.max(1, decrease);
    const earlier = Math.max(offset, Math.min(next - stepBack, (total ?? next) - 1));
    return { walk: { ...walk, limit, stepBack, next: earlier }, rows: [] };
  }

  const fresh = newRows(rows, returnedIds, walk.max);
  const hasNewRows = fresh.length > 0;
  const frontier = next + rows.length;
  // While a list changes, the same rows may come several times at its end.
  const isChanged = walk.stepBack > 0 || total !== walk.total;
  const isStuck = !isChanged && (total === undefined || frontier >= total || rows.length < 2);
  const moved: Walk = {
    ...walk,
    limit,
    total,
    frontier,
    returned: walk.returned + fresh.length,
    // A list that has just shrunk, because its rows are being worked off, will probably shrink as much again.
    next: Math.max(offset, frontier - 1 - decrease),
    firstTotal: walk.firstTotal ?? meta.total,
    stepBack: 0,
    stale: hasNewRows ? 0 : walk.stale + (isStuck ? STUCK_WEIGHT : 1),
    productive: walk.productive + (hasNewRows ? 1 : 0),
    replaced: walk.replaced + (isContinued ? 0 : fresh.length),
  };
  const ended = hasEnded(moved, page, hasNewRows);
  // If the service returns fewer rows than requested, pages that are read ahead must still fit together.
  const isShort = !ended && rows.length > 1 && rows.length < (page.requestedLimit ?? 0);
  const maxRows = isShort ? Math.min(walk.maxRows, rows.length) : walk.maxRows;
  return { walk: { ...moved, ended, maxRows }, rows: fresh };
};

/**
 * Checks that a walk will end.
 *
 * @throws {@link InvalidResponseError} When the service returns random rows, or reports more rows but does not return
 * them.
 */
const checkProgress = (operation: ListOperation, walk: Walk, { meta }: RawPage<unknown>): void => {
  const { returned, ended, total, firstTotal = 0, stale, productive, replaced } = walk;
  const facts = { operation, status: 200 };
  const growth = Math.max(0, meta.total - firstTotal);
  if (replaced > MAX_TURNOVERS * Math.max(firstTotal, MIN_TURNOVER) + growth) {
    throw new InvalidResponseError(
      `${operation} returned ${returned} different rows, but the API reports ${meta.total}, and no page continues the one before. Does it return random rows?`,
      facts,
    );
  }
  if (!ended && stale > MAX_STALE + productive) {
    throw new InvalidResponseError(
      `${operation} stopped making progress: the API reports ${total ?? 'an unknown number of'} rows but returned ${returned}. Does it ignore \`offset\` or miscount?`,
      facts,
    );
  }
};

/**
 * Walks through a list that may change in the meantime, one step at a time. It returns every row that stays at or after
 * `offset` exactly once.
 *
 * After the first page, each request starts one row early, so the page should contain a row that was returned before. If
 * it does, no row slipped between the two pages, whenever each was read and whatever else was inserted or removed. If it
 * does not, rows before it were removed: the walk steps back by the decrease of `total`, or further, until a page
 * contains a known row or begins at `offset`. No row before `offset` is read, so one that moves there is lost unless it
 * was returned already. Rows that were returned before are dropped by id.
 *
 * The list ends with a page that reaches `total` and has fewer rows than requested; if there is no `total`, with one that
 * has no row but the shared one. A full page that ends exactly at `total` may not be the last, because some services cap
 * or cache `total`.
 *
 * The walk relies on one condition: rows that stay keep their order.
 */
export class Walker<Row extends { id: string }> {
  readonly #operation: ListOperation;
  readonly #returnedIds = new Set<string>();
  #walk: Walk;

  constructor(operation: ListOperation, options: WalkOptions) {
    this.#operation = operation;
    this.#walk = {
      ...options,
      next: options.offset,
      frontier: options.offset,
      returned: 0,
      ended: options.max === 0,
      total: undefined,
      firstTotal: undefined,
      maxRows: MAX_LIMIT,
      stepBack: 0,
      stale: 0,
      productive: 0,
      replaced: 0,
    };
  }

  /**
   * Reads until a page has new rows that follow the rows so far without a gap, or is the first or last. After a failure, it
   * can be called again.
   *
   * @throws {@link InvalidResponseError} When the service returns random rows, or reports more rows but does not return
   * them.
   */
  async step(read: (range: PageRange) => Promise<RawPage<Row>>): Promise<Step<Row>> {
    for (;;) {
      const isFirst = this.#walk.firstTotal === undefined;
      const page = await read(rangeOf(this.#walk));
      const { walk, rows } = advance(this.#walk, page, this.#returnedIds);
      checkProgress(this.#operation, walk, page);
      this.#walk = walk;
      for (const { id } of rows) {
        this.#returnedIds.add(id);
      }
      const { returned, ended, total } = walk;
      if (rows.length > 0 || ended || isFirst) {
        return { rows, meta: page.meta, total, returned, ended };
      }
    }
  }

  /** Returns the pages to read next if the list stays as it is. */
  ahead(count: number): PageRange[] {
    return rangesAhead(this.#walk, count);
  }
}
