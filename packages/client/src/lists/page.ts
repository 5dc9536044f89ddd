import { checkEnvelope, handleIssues } from '../call/check-response.ts';
import type { ApiResponse } from '../call/types.ts';
import { PaginationMetaSchema } from '../contract/envelope.ts';
import type { Issue, OperationId, PaginationMeta } from '../contract/types.ts';
import { addCallSite } from '../errors/confab-error.ts';
import { InvalidRequestError, InvalidResponseError } from '../errors/index.ts';
import type { Reporter } from '../hooks/reporter.ts';
import { showAs } from '../runtime/runtime.ts';

/** A page of a list. Iterating over it returns its own rows; to read all rows, iterate over the list itself. */
export interface Page<T> extends Iterable<T> {
  /** The rows of the page. */
  readonly data: T[];
  /**
   * The `meta` that the service sent. If it is missing, the client derives it from the rows and reports that to
   * `hooks.onDrift`.
   */
  readonly meta: PaginationMeta;
  /**
   * Whether the list may continue after this page: the service reports more rows, or the page is full and ends
   * exactly at `total`, which some services cap or cache. In the second case, the next page is usually empty.
   */
  readonly hasNext: boolean;
  /**
   * Reads the next page, without the rows of earlier pages. The request starts one row early, to find out whether rows
   * before the page were removed; if so, the page begins that much earlier. Calling `next()` again returns the same
   * page.
   *
   * @throws An {@link InvalidRequestError} when this is the last page.
   * @throws An {@link InvalidResponseError} when the service reports more rows than it returns.
   */
  next(): Promise<Page<T>>;
}

/** The progress of reading a list. */
export interface Progress {
  /** The number of rows so far. */
  readonly rows: number;
  /** The number of rows of the whole list, as the service last reported it; undefined if it does not report it. */
  readonly total: number | undefined;
}

/** A page of {@link Paginated.pages}. */
export interface PageWithProgress<T> extends Omit<Page<T>, 'next'> {
  /** The number of rows so far, this page included, and in the whole list. */
  readonly progress: Progress;
}

/** An operation that returns one page of a list. */
export type ListOperation = Extract<OperationId, 'conversations.list' | 'leads.list'>;

/** Rows to request. */
export interface PageRange {
  readonly offset: number;
  /** Undefined for the service's default. */
  readonly limit: number | undefined;
}

/** Part of a list, as the service returned it. */
export interface RawPage<Row> {
  readonly rows: Row[];
  /** Rows of the whole list; undefined when the service did not report them, or reported fewer than it returned. */
  readonly total: number | undefined;
  /** The `meta` that the service sent, or one that was derived from the rows. */
  readonly meta: PaginationMeta;
  /** Undefined for the service's default. */
  readonly requestedLimit: number | undefined;
}

/**
 * Fetches a page.
 *
 * @param signal The signal of the loop; by default, the one of the list's options.
 * @param isAhead Whether the page is requested before anybody waits for it.
 */
export type FetchPage<Row> = (
  range: PageRange,
  signal?: AbortSignal,
  isAhead?: boolean,
) => Promise<RawPage<Row>>;

/** Returns an issue for each field of `meta` that contradicts the rows or the request. */
const findContradictions = (
  meta: PaginationMeta,
  { offset, limit = meta.limit }: PageRange,
  end: number,
  isTotalTooSmall: boolean,
) => {
  const issues: Issue[] = [];
  if (isTotalTooSmall) {
    issues.push({ path: 'meta.total', message: `is ${meta.total}, but the page ends at row ${end}` });
  }
  for (const [name, requested] of Object.entries({ offset, limit }) as ['offset' | 'limit', number][]) {
    if (meta[name] !== requested) {
      issues.push({ path: `meta.${name}`, message: `is ${meta[name]}, but ${requested} was requested` });
    }
  }
  return issues;
};

/**
 * Returns the rows of a response, which must have ids, so that rows that were returned before can be recognized.
 *
 * @throws An {@link InvalidResponseError} when the value is not a list of rows with ids.
 *
 * @internal
 */
export const checkRows = <Row>(what: string, rows: unknown, { running, status }: ApiResponse): Row[] => {
  if (!Array.isArray(rows) || !rows.every((row) => typeof row?.id === 'string')) {
    const { operation } = running.request;
    const message = `${operation} returned ${what} that is not a list of rows with ids.`;
    throw new InvalidResponseError(message, { operation, status });
  }
  return rows;
};

/**
 * Parses a response that is a page. Reports a `meta` that contradicts its rows or the request.
 *
 * @throws An {@link InvalidResponseError} when the data is not a list of rows with ids.
 *
 * @internal
 */
export const parsePage = <Row>(response: ApiResponse, range: PageRange, reporter: Reporter): RawPage<Row> => {
  const { offset, limit } = range;
  const { data, meta: rawMeta } = checkEnvelope<ListOperation>(response, reporter);
  const rows = checkRows<Row>('data', data, response);
  const end = offset + rows.length;
  const meta = PaginationMetaSchema.safeParse(rawMeta).data;
  const isTotalTooSmall = meta !== undefined && meta.total < end && end > offset;
  const issues = meta === undefined ? [] : findContradictions(meta, range, end, isTotalTooSmall);
  if (issues.length > 0) {
    handleIssues(issues, response, reporter);
  }
  return {
    rows,
    total: isTotalTooSmall ? undefined : meta?.total,
    meta: meta ?? { total: end, limit: limit ?? rows.length, offset },
    requestedLimit: limit,
  };
};

/** The next rows of a list, without those that were returned before. */
export interface Step<Row> extends Pick<RawPage<Row>, 'total' | 'meta'> {
  /** The rows that were not returned before. */
  readonly rows: Row[];
  /** Number of rows so far. */
  readonly returned: number;
  /** Whether the list ends after these rows. */
  readonly ended: boolean;
}

export class ListPage<T extends { id: string }> implements Page<T> {
  readonly data: T[];
  readonly meta: PaginationMeta;
  readonly hasNext: boolean;
  readonly #operation: ListOperation;
  readonly #readNext: (() => Promise<Page<T>>) | undefined;
  #successor: Promise<Page<T>> | undefined;

  static {
    // Omits the rows, which would fill the screen.
    showAs(ListPage.prototype, 'Page', ({ data, meta, hasNext }) => ({
      rows: data.length,
      ...meta,
      hasNext,
    }));
  }

  /** @param readNext Reads the page after this one; undefined for a page of a loop, which reads on by itself. */
  constructor(operation: ListOperation, { rows, meta, ended }: Step<T>, readNext?: () => Promise<Page<T>>) {
    this.data = rows;
    this.meta = meta;
    this.hasNext = !ended;
    this.#operation = operation;
    this.#readNext = readNext;
  }

  [Symbol.iterator](): ArrayIterator<T> {
    return this.data.values();
  }

  next(): Promise<Page<T>> {
    if (this.#readNext === undefined || !this.hasNext) {
      const message = this.hasNext
        ? 'must not be called within a loop over pages(), which continues by itself'
        : 'must not be called on the last page: check `hasNext` first';
      return Promise.reject(new InvalidRequestError(this.#operation, [{ path: 'next()', message }]));
    }
    const site = new Error();
    this.#successor ??= this.#readNext().catch((error: unknown) => {
      // After a failure, the next call tries again.
      this.#successor = undefined;
      throw addCallSite(error, site);
    });
    return this.#successor;
  }
}
