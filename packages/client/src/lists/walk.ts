import type { OperationId } from '../contract/types.ts';
import { InvalidResponseError } from '../errors/index.ts';
import type { RawPage, ReadPage, Stretch } from './read-ahead.ts';
import { createReadAhead } from './read-ahead.ts';

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

/** Rows of a list that were not returned before. */
export interface Step<Row> {
  readonly rows: Row[];
  /** The page that they are from. */
  readonly page: RawPage<Row>;
  /** Number of rows returned so far, including these. */
  readonly soFar: number;
  /** True when no rows follow. */
  readonly ended: boolean;
}

/** A walk through a list, one page at a time. */
export interface Walk<Row> {
  /**
   * Reads until a page follows the rows so far without a gap. After a failure, it can be called again.
   *
   * @throws {@link InvalidResponseError} When the service reports more rows but does not return them.
   */
  step(read: (stretch: Stretch) => Promise<RawPage<Row>>): Promise<Step<Row>>;
  /** Returns the next stretches if the list stays as it is, at most `count`. */
  upcoming(count: number): Stretch[];
}

/** Rows that the API returns at most at once. */
const MAX_LIMIT = 100;

/**
 * Consecutive pages without new rows that end the walk, in addition to one for each page that had some: when rows are
 * inserted ahead, all earlier pages may repeat.
 */
const MAX_STALE = 40;
/** Number of stale pages that one counts for if the walk does not move on either. */
const STUCK_WEIGHT = 10;

/** Number of times that all rows of a list may be replaced while it is read. */
const MAX_TURNOVERS = 10;
/** Rows that count for a smaller list. */
const MIN_TURNOVER = 1_000;

/**
 * Walks through a list that may change in the meantime, and returns every row that stays at or after `offset`
 * exactly once.
 *
 * After the first page, each request starts one row early, so the page should contain a row that was returned before. If
 * it does, no row slipped between the two pages, whenever each was read and whatever else was inserted or removed. If it
 * does not, rows before it were removed: the walk steps back by the decrease of `total`, or further, until a page
 * contains a known row or begins at `offset`. No row before `offset` is read, so one that moves there is lost unless it
 * was returned already. Rows that were returned before are dropped by id.
 *
 * The list ends with a page that reaches `total` and has fewer rows than requested; if there is no `total`, with one that
 * has no row but the shared one. A full page that ends exactly at `total` may not be the
 * last, because some services cap or cache `total`.
 *
 * The walk relies on one condition: rows that stay keep their order.
 */
export const createWalk = <Row extends { id: string }>(
  operation: OperationId,
  { limit: wanted, offset, max, fullPages = false }: WalkOptions,
): Walk<Row> => {
  const given = new Set<string>();
  let limit = wanted;
  let next = offset;
  /** Where the rows returned so far ended when they were read. */
  let frontier = offset;
  let total: number | undefined;
  /** `total` on the last accepted page: the decrease since then tells how far to step back. */
  let totalBefore: number | undefined;
  /** Id of the very first row: a service that ignores `offset` begins each page with it. */
  let firstId: string | undefined;
  let stepBack = 0;
  /** Pages without new rows since the last page that had some. */
  let stale = 0;
  /** Pages that had new rows. */
  let productive = 0;
  /** Rows of pages without any row that was returned before, except the first page: all rows before them are gone. */
  let replaced = 0;
  /** `total` on the first page. */
  let firstTotal: number | undefined;
  /** Number of rows that the service returns at most, as far as it has shown. */
  let maxRows = MAX_LIMIT;

  /** Requests no row beyond `max`. Rows before the frontier are read again and dropped. */
  const stretchAt = (start: number): Stretch => {
    if (limit === undefined) {
      return { offset: start, limit: undefined };
    }
    // A page of one row would contain only the row that it shares with the page before.
    const afterFirst = Math.max(2, Math.min(limit + (fullPages ? 1 : 0), maxRows));
    return {
      offset: start,
      limit: Math.min(given.size === 0 ? limit : afterFirst, frontier + max - given.size - start),
    };
  };

  /** Returns false when wanted rows may have slipped before the page. */
  const isConnected = (rows: readonly Row[]): boolean =>
    next === offset ||
    rows.some(({ id }) => given.has(id)) ||
    // A page cannot be past the end of a list that is empty or has no known total.
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

  const hasEnded = (fresh: readonly Row[], rows: readonly Row[], isFull: boolean): boolean => {
    if (given.size >= max) {
      return true;
    }
    // The last page has new rows, or only the row that it shares with the page before. A service that ignores `offset`
    // returns neither.
    const exhausted = fresh.length === 0 && rows.length < 2;
    if (total === undefined) {
      return exhausted;
    }
    // A page that ends where the list does is the last: `total` is higher by the rows that were inserted ahead.
    const isLast = given.size >= total || (frontier === total && rows[0]?.id !== firstId);
    return frontier >= total && (exhausted || (!isFull && (fresh.length > 0 || isLast)));
  };

  return {
    async step(read) {
      for (;;) {
        const stretch = stretchAt(next);
        const page = await read(stretch);
        const { rows } = page;
        total = page.total;
        limit ??= Math.max(1, page.meta.limit);
        const decrease = Math.max(0, (totalBefore ?? 0) - (total ?? totalBefore ?? 0));
        if (!isConnected(rows)) {
          stepBack = stepBack * 2 || Math.max(1, decrease);
          next = Math.max(offset, Math.min(next - stepBack, (total ?? next) - 1));
          continue;
        }

        const isContinued = given.size === 0 || rows.some(({ id }) => given.has(id));
        const fresh = takeFresh(rows);
        stepBack = 0;
        firstId ??= rows[0]?.id;
        totalBefore = total;
        frontier = next + rows.length;
        if (fresh.length > 0) {
          stale = 0;
          productive += 1;
        } else {
          const isStuck = total === undefined || frontier >= total || rows.length < 2;
          stale += isStuck ? STUCK_WEIGHT : 1;
        }
        firstTotal ??= page.meta.total;
        replaced += isContinued ? 0 : fresh.length;
        const growth = Math.max(0, page.meta.total - firstTotal);
        if (replaced > MAX_TURNOVERS * Math.max(firstTotal, MIN_TURNOVER) + growth) {
          throw new InvalidResponseError(
            `${operation} returned ${given.size} different rows, but the API reports ${page.meta.total}, and no page continues the one before. Does it return random rows?`,
            { operation, status: 200 },
          );
        }
        const asked = Math.min(stretch.limit ?? page.meta.limit, page.meta.limit);
        const ended = hasEnded(fresh, rows, rows.length > 0 && rows.length >= asked);
        if (!ended && stale > MAX_STALE + productive) {
          throw new InvalidResponseError(
            `${operation} stopped making progress: the API reports ${total ?? 'an unknown number of'} rows but returned ${given.size}. Does it ignore \`offset\` or miscount?`,
            { operation, status: 200 },
          );
        }
        // If the service returns fewer rows than requested, pages that are read ahead must still fit together.
        if (!ended && rows.length > 1 && rows.length < (stretch.limit ?? 0)) {
          maxRows = Math.min(maxRows, rows.length);
        }
        // A list that has just shrunk, because its rows are being worked off, will probably shrink as much again.
        next = Math.max(offset, frontier - 1 - decrease);
        return { rows: fresh, page, soFar: given.size, ended };
      }
    },
    upcoming(count) {
      const stretches: Stretch[] = [];
      const end = Math.min(total ?? 0, frontier + max - given.size);
      for (let start = next; stretches.length < count && start < end - 1; ) {
        const stretch = stretchAt(start);
        stretches.push(stretch);
        start += (stretch.limit ?? 1) - 1;
      }
      return stretches;
    },
  };
};

/** Walks through a list to its end. It reads up to `ahead` pages before they are needed. */
export async function* walk<Row extends { id: string }>(
  operation: OperationId,
  read: ReadPage<Row>,
  { ahead, signal, ...options }: WalkOptions & { readonly ahead: number; readonly signal: AbortSignal },
): AsyncGenerator<Step<Row>, void, undefined> {
  const walked = createWalk<Row>(operation, options);
  const reader = createReadAhead(read, signal);
  let ended = options.max === 0;
  try {
    while (!ended) {
      const step = await walked.step(reader.take);
      ended = step.ended;
      if (ahead > 0 && !ended) {
        reader.expect(walked.upcoming(ahead));
      }
      yield step;
      signal.throwIfAborted();
    }
  } finally {
    reader.close();
  }
}
