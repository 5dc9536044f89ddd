import { InvalidResponseError } from '../errors/index.ts';
import type { ListOperation, PageRange, RawPage, Step } from './page.ts';

export interface WalkOptions {
  /** Rows to request at once; undefined for the service's default. */
  readonly limit: number | undefined;
  /** The offset at which the walk begins. */
  readonly offset: number;
  /** Maximum number of rows to return. */
  readonly max: number;
  /** Whether to request one more row after the first page, so that later pages have `limit` new rows too. */
  readonly fullPages?: boolean | undefined;
}

/** The state of a walk through a list. */
interface WalkState extends WalkOptions {
  /** The offset at which the next page begins. */
  readonly next: number;
  /** The offset after the last row returned so far, at the time when it was read. */
  readonly frontier: number;
  /** Number of rows returned so far. */
  readonly returned: number;
  /** Whether the list ends after these rows. */
  readonly ended: boolean;
  /** `total` on the page before: its decrease says how far to step back. */
  readonly total: number | undefined;
  /** `total` on the first page. */
  readonly firstTotal: number | undefined;
  /** Maximum number of rows that the service returns at once, judging by its pages so far. */
  readonly maxRows: number;
  /** Number of rows by which the walk has just stepped back; 0 after a page that was accepted. */
  readonly stepBack: number;
  /** Number of consecutive pages without new rows. */
  readonly stale: number;
  /** Number of pages with new rows. */
  readonly productive: number;
  /** Number of rows on pages that shared no row with an earlier page, as after all earlier rows were removed. */
  readonly replaced: number;
}

/** Maximum number of rows that the API returns at once. */
const MAX_LIMIT = 100;

/**
 * After this many consecutive pages without new rows, plus the number of pages that had some, the walk gives up. So
 * many are normal when rows are inserted at the beginning of the list, which moves known rows to later pages.
 */
const MAX_STALE = 40;
/**
 * A page without new rows, in a list that does not change, counts as this many stale pages: the next page would
 * probably be the same, so the walk gives up sooner.
 */
const STUCK_WEIGHT = 10;

/**
 * How often all rows of a list may be replaced while it is read. After that, the walk gives up, because a service that
 * returns random rows would keep it going forever.
 */
const MAX_TURNOVERS = 10;
/** A shorter list counts as this many rows, because the rows of a short list may well be replaced more often. */
const MIN_TURNOVER = 1_000;

/** Returns the offset after the last row that the walk may still return. */
const maxEnd = ({ frontier, max, returned }: WalkState): number => frontier + max - returned;

/**
 * Returns the range of the page at an offset, by default the next one. It contains no row beyond `max`. Rows before the
 * frontier are read again and dropped.
 */
const rangeOf = (walk: WalkState, offset = walk.next): PageRange => {
  const { limit, fullPages, maxRows, returned } = walk;
  if (limit === undefined) {
    return { offset, limit };
  }
  // With a limit of 1, a page would contain only the row that it shares with the page before.
  const afterFirst = Math.max(2, Math.min(limit + (fullPages ? 1 : 0), maxRows));
  return { offset, limit: Math.min(returned === 0 ? limit : afterFirst, maxEnd(walk) - offset) };
};

/**
 * Returns the ranges of the next pages if the list stays as it is, at most `count`. If a page ends exactly at `total`,
 * one more page follows, which begins with the last row.
 */
const rangesAhead = (walk: WalkState, count: number): PageRange[] => {
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
  { returned, max, frontier }: WalkState,
  { rows, total, meta, requestedLimit }: RawPage<Row>,
  hasNewRows: boolean,
): boolean => {
  if (returned >= max) {
    return true;
  }
  // A page after the end has no rows but the one that it shares with the page before. The pages of a service that
  // ignores `offset` have more.
  const exhausted = !hasNewRows && rows.length < 2;
  if (total === undefined) {
    return exhausted;
  }
  const isFull = rows.length > 0 && rows.length >= Math.min(requestedLimit ?? meta.limit, meta.limit);
  // A page that ends where the list ends is the last one, even if fewer than `total` rows were returned: the others
  // were inserted before it.
  const isLast = returned >= total || frontier === total;
  return frontier >= total && (exhausted || (!isFull && (hasNewRows || isLast)));
};

/**
 * Returns the state after a page that was read for {@link rangeOf}.
 *
 * @param returnedIds The ids of the rows that were returned before.
 * @returns The walk after the page, and the rows that were not returned before. If rows may have moved before the page,
 * there are no rows, and the walk has stepped back.
 */
const advance = <Row extends { id: string }>(
  walk: WalkState,
  page: RawPage<Row>,
  returnedIds: ReadonlySet<string>,
): { readonly walk: WalkState; readonly rows: Row[] } => {
  const { rows, total, meta } = page;
  const { next, offset } = walk;
  const limit = walk.limit ?? Math.max(1, meta.limit);
  const decrease = Math.max(0, (walk.total ?? 0) - (total ?? walk.total ?? 0));
  const isContinued = walk.returned === 0 || rows.some(({ id }) => returnedIds.has(id));
  // An empty page at such an offset means that the list ends, not that the walk is past its end.
  const isEmpty = rows.length === 0 && (!total || next < total);
  if (next > offset && !isContinued && !isEmpty) {
    const stepBack = walk.stepBack * 2 || Math.max(1, decrease);
    const earlier = Math.max(offset, Math.min(next - stepBack, (total ?? next) - 1));
    return { walk: { ...walk, limit, stepBack, next: earlier }, rows: [] };
  }

  const fresh = newRows(rows, returnedIds, walk.max);
  const hasNewRows = fresh.length > 0;
  const frontier = next + rows.length;
  // While a list changes, pages without new rows are normal at its end.
  const isChanged = walk.stepBack > 0 || total !== walk.total;
  const isStuck = !isChanged && (total === undefined || frontier >= total || rows.length < 2);
  const moved: WalkState = {
    ...walk,
    limit,
    total,
    frontier,
    returned: walk.returned + fresh.length,
    // A list that has just shrunk, because its rows are being processed, will probably shrink by the same number again.
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
 * Makes sure that a walk ends.
 *
 * @throws An {@link InvalidResponseError} when the service seems to return random rows, or reports more rows than it
 * returns.
 */
const checkProgress = (operation: ListOperation, walk: WalkState, { meta }: RawPage<unknown>): void => {
  const { returned, ended, total, firstTotal = 0, stale, productive, replaced } = walk;
  const facts = { operation, status: 200 };
  const growth = Math.max(0, meta.total - firstTotal);
  if (replaced > MAX_TURNOVERS * Math.max(firstTotal, MIN_TURNOVER) + growth) {
    throw new InvalidResponseError(
      `${operation} returned ${returned} different rows, but the API reports ${meta.total}, and no page continues the one before. Does the API return random rows?`,
      facts,
    );
  }
  if (!ended && stale > MAX_STALE + productive) {
    throw new InvalidResponseError(
      `${operation} stopped making progress: the API reports ${total ?? 'an unknown number of'} rows but returned ${returned}. Does the API ignore \`offset\` or report a wrong total?`,
      facts,
    );
  }
};

/**
 * Walks through a list that may change in the meantime, one step at a time. Every row that stays at or after `offset`
 * is returned exactly once, provided that the rows that stay keep their order.
 *
 * After the first page, each request starts one row early, so the page should contain a row that was returned before.
 * If it does, no row was missed between the two pages, whenever each was read and whatever else was inserted or
 * removed. If it does not, rows before it were removed: the walk steps back by the decrease of `total`, or further,
 * until a page contains a known row or begins at `offset`. Rows before `offset` are never read, so a row that moves
 * there is missed unless it was returned already. Rows that were returned before are dropped by their ids.
 *
 * For example, r0 to r249 are read 100 at a time:
 *
 * 1. The page at offset 0 has r0 to r99. Then r5 is removed, so r99 moves to offset 98.
 * 2. The page at offset 99 has r100 to r199. It has no known row, and `total` has decreased by 1: the walk steps back by 1.
 * 3. The page at offset 98 has r99 to r198. It has the known row r99, so the walk returns r100 to r198.
 *
 * The list ends with a page that reaches `total` and has fewer rows than requested. Without a `total`, it ends with a
 * page that has only the shared row. A full page that ends exactly at `total` may not be the last, because some
 * services cap or cache `total`.
 */
export class Walker<Row extends { id: string }> {
  readonly #operation: ListOperation;
  readonly #returnedIds = new Set<string>();
  #walk: WalkState;

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
   * Reads pages until one has new rows that follow the earlier rows without a gap, or is the first or last page. It can
   * be called again after a failure.
   *
   * @throws An {@link InvalidResponseError} when the service seems to return random rows, or reports more rows than it
   * returns.
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

  /** Returns the ranges of the next pages if the list stays as it is. */
  nextRanges(count: number): PageRange[] {
    return rangesAhead(this.#walk, count);
  }
}
