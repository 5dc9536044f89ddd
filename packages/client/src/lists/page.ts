import type { PaginationMeta } from '../contract/types.ts';
import { addCallSite } from '../errors/call-site.ts';
import { InvalidRequestError } from '../errors/index.ts';
import { showAs } from '../runtime/node.ts';
import type { ReadPage } from './read-page.ts';
import type { Step, Walk } from './walk.ts';

/** A page of a list. Iterating over it returns its own rows; to read all rows, iterate over the list itself. */
export interface Page<T> extends Iterable<T> {
  /** The rows of the page. */
  readonly data: T[];
  /** As the service sent it. When it sent none, the client derives it from the rows and reports that to `hooks.onDrift`. */
  readonly meta: PaginationMeta;
  /** True when the list continues after this page. */
  readonly hasNext: boolean;
  /**
   * Reads the next page, without rows of earlier pages. Its request starts one row early, to find out whether rows before
   * it were removed; if so, the page begins that much earlier. Later calls return the same page.
   *
   * @throws {@link InvalidRequestError} When this is the last page.
   * @throws {@link InvalidResponseError} When the service reports more rows but does not return them.
   */
  next(): Promise<Page<T>>;
}

/** The progress of reading a list. */
export interface Progress {
  /** Number of rows so far. */
  readonly rows: number;
  /** Number of rows of the whole list that the service last reported; undefined when it reports none. */
  readonly total: number | undefined;
}

/** A page of {@link Paginated.pages}. */
export interface PageWithProgress<T> extends Omit<Page<T>, 'next'> {
  /** Number of rows so far, this page included, and in the whole list. */
  readonly progress: Progress;
}

/** The rows of one step of a walk. */
class Rows<T> {
  readonly data: T[];
  readonly meta: PaginationMeta;
  readonly hasNext: boolean;

  static {
    // Without the rows, which would fill a screen.
    showAs(Rows.prototype, 'Page', ({ data, meta, hasNext }) => ({ rows: data.length, ...meta, hasNext }));
  }

  constructor({ rows, page, ended }: Step<T>) {
    const { offset, rows: read, total, asked, meta } = page;
    this.data = rows;
    this.meta = meta;
    const isFull = read.length >= (asked ?? 1);
    this.hasNext =
      total === undefined ? isFull || (rows.length === 0 && !ended) : offset + read.length < total;
  }

  [Symbol.iterator](): ArrayIterator<T> {
    return this.data.values();
  }
}

/** A page that `pages()` yields. */
export class ProgressPage<T> extends Rows<T> implements PageWithProgress<T> {
  readonly progress: Progress;

  constructor(step: Step<T>) {
    super(step);
    this.progress = { rows: step.soFar, total: step.page.total };
  }
}

/** A page that can read the next one. */
export class ListPage<T extends { id: string }> extends Rows<T> implements Page<T> {
  readonly #walk: Walk<T>;
  readonly #read: ReadPage<T>;
  readonly #step: Step<T>;
  #successor: Promise<ListPage<T>> | undefined;

  constructor(step: Step<T>, walk: Walk<T>, read: ReadPage<T>) {
    super(step);
    this.#step = step;
    this.#walk = walk;
    this.#read = read;
  }

  next(): Promise<ListPage<T>> {
    if (!this.hasNext) {
      const message = 'was called on the last page. Check `hasNext` first.';
      const { operation } = this.#step.page;
      return Promise.reject(new InvalidRequestError(operation, [{ path: 'next()', message }]));
    }
    const site = new Error();
    this.#successor ??= this.#readNext().catch((error: unknown) => {
      // The next call after a failure tries again.
      this.#successor = undefined;
      throw addCallSite(error, site);
    });
    return this.#successor;
  }

  async #readNext(): Promise<ListPage<T>> {
    for (;;) {
      const step = await this.#walk.step(this.#read);
      const page = new ListPage(step, this.#walk, this.#read);
      if (page.data.length > 0 || !page.hasNext) {
        return page;
      }
    }
  }
}
