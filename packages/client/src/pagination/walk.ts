import type { OperationId } from '../contract/types/index.ts';
import { noNewRows } from './no-new-rows.ts';
import type { Stretch } from './read-ahead.ts';
import { createReadAhead } from './read-ahead.ts';
import type { RawPage, ReadPage } from './read-page.ts';

export interface WalkOptions {
  /** Rows asked for at once. */
  readonly limit: number;
  /** Where the walk begins. */
  readonly offset: number;
  /** Most rows to give. */
  readonly max: number;
  /** Pages to read before they are asked for. */
  readonly ahead: number;
  readonly signal: AbortSignal;
}

/** Rows of a list that were not given before. */
export interface Step<Row> {
  readonly rows: Row[];
  /** Where they came from. */
  readonly page: RawPage<Row>;
  /** Rows given so far, these included. */
  readonly soFar: number;
}

/**
 * Pages in a row without a new row, after which the walk gives up, besides as many as brought some: when rows are
 * inserted ahead, those may all come again.
 */
const PATIENCE = 40;
/**
 * What such a page counts for when it begins like the one before it. The service may well ignore `offset`; but rows that
 * are inserted ahead as fast as pages are read look the same.
 */
const SAME_AGAIN = 1.2;
/** What it counts for when it does not even move the walk on. */
const NO_PROGRESS = 10;

/**
 * Walks through a list that may change meanwhile: every row that is there throughout is given exactly once.
 *
 * Each page is asked for one row early, so that it should begin with a row that was given before. If it does,
 * nothing slipped between the two pages, whenever each was read and whatever else was inserted or removed. If it
 * does not, rows before it were removed: the walk steps back by the fall of `total`, or further, until a page
 * begins with a known row or at the start of the list. Rows given before are dropped by id.
 *
 * It relies on one thing: rows that stay keep their order among themselves.
 *
 * @throws {@link InvalidResponseError} When the service counts more rows but returns none.
 */
export async function* walk<Row extends { id: string }>(
  operation: OperationId,
  read: ReadPage<Row>,
  { limit, offset, max, ahead, signal }: WalkOptions,
): AsyncGenerator<Step<Row>, void, undefined> {
  const given = new Set<string>();
  const reader = createReadAhead(read, signal);
  let next = offset;
  /** Where the rows given so far ended when they were read. */
  let frontier = offset;
  let total: number | undefined;
  /** Milestones of the last page that was taken in; the falls of `total` since then tell how far to step back. */
  let totalBefore: number | undefined;
  let totalAtFirst: number | undefined;
  /** The first row of all: a service that ignores `offset` begins each page with it. */
  let veryFirst: string | undefined;
  let stepBack = 0;
  let inVain = 0;
  let fruitful = 0;
  let firstBefore: string | undefined;
  /** Rows that a page can hold, as far as the service has shown. */
  let most = limit;

  /** Asks for no row beyond `max`; what lies before the frontier is read again and dropped. */
  const stretchAt = (start: number): Stretch => {
    const wanted = frontier + max - given.size - start;
    // A page of one row would hold nothing but the row that it shares with the page before.
    return { offset: start, limit: Math.min(given.size === 0 ? limit : Math.max(2, most), wanted) };
  };

  /** The pages that come next if the list stays as it is. */
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

  try {
    while (given.size < max) {
      const page = await reader.take(stretchAt(next));
      const { rows } = page;
      const [first] = rows;
      total = page.total;
      totalAtFirst ??= total;
      const fall = Math.max(0, (totalBefore ?? 0) - (total ?? totalBefore ?? 0));
      // A page that begins here, or before, begins with the first row that is wanted.
      const floor = Math.max(0, offset - Math.max(0, (totalAtFirst ?? 0) - (total ?? 0)));

      const connected = next <= floor || (first !== undefined && given.has(first.id));
      const beyond = first === undefined && total !== undefined && total > 0 && next >= total;
      if (!connected && (beyond || first !== undefined)) {
        stepBack = stepBack === 0 ? Math.max(1, fall) : stepBack * 2;
        next = Math.max(floor, Math.min(next - stepBack, (total ?? next) - 1));
        continue;
      }

      const fresh: Row[] = [];
      for (const row of rows) {
        if (given.size === max) {
          break;
        }
        if (given.has(row.id)) {
          continue;
        }
        given.add(row.id);
        fresh.push(row);
      }
      stepBack = 0;
      veryFirst ??= first?.id;
      totalBefore = total;
      frontier = next + rows.length;
      if (fresh.length > 0) {
        inVain = 0;
        fruitful += 1;
      } else if (total === undefined || frontier >= total || rows.length < 2) {
        inVain += NO_PROGRESS;
      } else {
        inVain += first?.id === firstBefore ? SAME_AGAIN : 1;
      }
      firstBefore = first?.id;
      // The last page brings something new, or nothing but the row that it shares with the page before: a service
      // that ignores `offset` sends neither.
      const exhausted = fresh.length === 0 && rows.length < 2;
      const ended =
        total === undefined
          ? exhausted
          : frontier >= total &&
            (exhausted ||
              fresh.length > 0 ||
              given.size >= total ||
              // The page is the end of the list: `total` is higher for rows that were inserted ahead.
              (frontier === total && first?.id !== veryFirst));
      if (!ended && inVain > PATIENCE + fruitful) {
        throw noNewRows(operation, total, given.size);
      }
      // A service that gives less than it is asked for: pages read ahead have to fit together all the same.
      if (!ended && rows.length > 1) {
        most = Math.min(most, Math.max(2, rows.length));
      }
      // A list that has just shrunk, because its rows are being worked off, will likely shrink as much again.
      next = Math.max(floor, frontier - 1 - fall);
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
