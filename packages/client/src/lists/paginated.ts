import type { Checks } from '@confab/internal';
import { integerFrom, isFunction } from '@confab/internal';
import type { PaginationMeta } from '../contract/types.ts';
import type { CallSite } from '../errors/confab-error.ts';
import { addCallSite } from '../errors/confab-error.ts';
import { InvalidRequestError } from '../errors/index.ts';
import { checkOptions } from '../options/option-checks.ts';
import { showAs } from '../runtime/runtime.ts';
import type { Redact } from '../secrecy/safe-cause.ts';
import type { ListIterator } from './list-iterator.ts';
import { createListIterator } from './list-iterator.ts';
import type { Step } from './next-page.ts';
import { Walker } from './next-page.ts';
import { readPages } from './read-ahead.ts';
import type { ListOperation, ReadPage } from './read-page.ts';

/** A page of a list. Iterating over it returns its own rows; to read all rows, iterate over the list itself. */
export interface Page<T> extends Iterable<T> {
  /** The rows of the page. */
  readonly data: T[];
  /** As the service sent it. When it sent none, the client derives it from the rows and reports that to `hooks.onDrift`. */
  readonly meta: PaginationMeta;
  /**
   * True when the list may continue after this page: the service reports more rows, or the page is full and ends exactly at
   * `total`, which some services cap or cache. In the second case, the next page is usually empty.
   */
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

class ListPage<T extends { id: string }> implements Page<T> {
  readonly data: T[];
  readonly meta: PaginationMeta;
  readonly hasNext: boolean;
  readonly #operation: ListOperation;
  readonly #readStep: (() => Promise<Step<T>>) | undefined;
  #successor: Promise<ListPage<T>> | undefined;

  static {
    // Omits the rows, which would fill the screen.
    showAs(ListPage.prototype, 'Page', ({ data, meta, hasNext }) => ({
      rows: data.length,
      ...meta,
      hasNext,
    }));
  }

  /** @param readStep Reads the rows after this page; undefined for a page of a loop, which reads on by itself. */
  constructor(operation: ListOperation, { rows, page, walk }: Step<T>, readStep?: () => Promise<Step<T>>) {
    this.data = rows;
    this.meta = page.meta;
    this.hasNext = !walk.ended;
    this.#operation = operation;
    this.#readStep = readStep;
  }

  [Symbol.iterator](): ArrayIterator<T> {
    return this.data.values();
  }

  next(): Promise<ListPage<T>> {
    const readStep = this.#readStep;
    if (readStep === undefined || !this.hasNext) {
      const message = 'must be called on a page that you have awaited and whose `hasNext` is true';
      return Promise.reject(new InvalidRequestError(this.#operation, [{ path: 'next()', message }]));
    }
    const site = new Error();
    this.#successor ??= this.#readNext(readStep).catch((error: unknown) => {
      // The next call after a failure tries again.
      this.#successor = undefined;
      throw addCallSite(error, site);
    });
    return this.#successor;
  }

  async #readNext(readStep: () => Promise<Step<T>>): Promise<ListPage<T>> {
    for (;;) {
      const page = new ListPage(this.#operation, await readStep(), readStep);
      if (page.data.length > 0 || !page.hasNext) {
        return page;
      }
    }
  }
}

/** Options of {@link Paginated.all}. */
export interface AllOptions {
  /**
   * Maximum number of rows to read.
   *
   * @default Infinity
   */
  max?: number | undefined;
  /**
   * Maximum number of pages to read at once, after the first. The client's own `concurrency` and rate limit also apply.
   *
   * @default 4
   */
  concurrency?: number | undefined;
  /** Called after each page. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

const ALL_OPTIONS: Checks<AllOptions> = {
  max: (name, value) => (value === Number.POSITIVE_INFINITY ? undefined : integerFrom(0)(name, value)),
  concurrency: integerFrom(1),
  onProgress: isFunction,
};

/** Rows to request at once while iterating: the maximum that the API allows. */
const ITERATION_LIMIT = 100;

export interface PaginatedOptions<T> {
  readonly operation: ListOperation;
  readonly read: ReadPage<T>;
  /** For `console.log`. */
  readonly query: object;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly prefetch: number | undefined;
  readonly signal: AbortSignal | undefined;
  /** Removes the API key from messages. */
  readonly redact: Redact;
}

/**
 * A paged list. Await it for one page, or iterate over it for all rows. Nothing is sent before that.
 *
 * Iterating returns every row that exists throughout exactly once, even while rows are inserted, removed or changed, as
 * long as the rows that stay keep their order. With an `offset`, the guarantee covers the rows that stay at or after the
 * offset. Each loop starts from the beginning; leaving a loop aborts its requests.
 *
 * Like a promise, a list is unwrapped by `await`: an `async` function that returns a list returns its first page.
 *
 * @example
 * ```ts
 * const page = await confab.leads.list({ status: 'new' });
 * for await (const lead of confab.leads.list({ status: 'new' })) await greet(lead);
 * const leads = await confab.leads.list().all({ max: 1_000, concurrency: 8 });
 * ```
 */
export class Paginated<T extends { id: string }> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly #options: PaginatedOptions<T>;
  /** Where the list was created: an `await` starts without its caller on the stack. */
  readonly #site: CallSite = new Error();
  #first: Promise<Page<T>> | undefined;

  static {
    showAs(Paginated.prototype, 'Paginated', (list) => {
      const { operation, query } = list.#options;
      return { operation, query };
    });
  }

  /** @internal */
  constructor(options: PaginatedOptions<T>) {
    this.#options = options;
  }

  /** Reads the first page, with `limit` rows or the service's default. The request is sent once. */
  then<Fulfilled = Page<T>, Rejected = never>(
    onFulfilled?: ((page: Page<T>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: `then` of a promise has the same type.
    onRejected?: ((reason: any) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#first ??= this.#readFirst().catch((error: unknown) => {
      // The next `await` after a failure tries again.
      this.#first = undefined;
      throw addCallSite(error, this.#site);
    });
    return this.#first.then(onFulfilled, onRejected);
  }

  /** Reads the first page as {@link Paginated.then} does, and calls the function if that fails. */
  catch<Rejected = never>(
    // biome-ignore lint/suspicious/noExplicitAny: `catch` of a promise has the same type.
    onRejected?: ((reason: any) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<T> | Rejected> {
    return this.then(undefined, onRejected);
  }

  /** Reads the first page as {@link Paginated.then} does, and calls the function when that succeeds or fails. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally);
  }

  /** Every promise has this name, so TypeScript knows that a function that returns a list is one that returns a page. */
  get [Symbol.toStringTag](): string {
    return 'Paginated';
  }

  /** Iterates over all rows, a page of 100 at a time unless `limit` is given. */
  [Symbol.asyncIterator](): ListIterator<T> {
    return createListIterator((signal) => this.#rows(signal), this.#options.signal);
  }

  /**
   * Iterates over pages. Each page includes the progress so far.
   *
   * After the first page, each request starts one row early to detect changes of the list, so these pages contain one
   * row fewer than `limit`.
   */
  pages(): ListIterator<PageWithProgress<T>> {
    return createListIterator((signal) => this.#pages(signal), this.#options.signal);
  }

  /**
   * Reads all rows in order, several pages at a time.
   *
   * @throws {@link ConfigurationError} When an option is unknown or invalid.
   */
  async all(options: AllOptions = {}): Promise<T[]> {
    checkOptions('option of all()', options, ALL_OPTIONS, this.#options.redact);
    const { max = Number.POSITIVE_INFINITY, concurrency = 4, onProgress } = options;
    const all: T[] = [];
    const steps = createListIterator(
      (signal) => this.#readPages(signal, max, concurrency),
      this.#options.signal,
    );
    for await (const { rows, page, walk } of steps) {
      // `push(...rows)` would overflow the stack if a faulty service returned a huge page.
      for (const row of rows) {
        all.push(row);
      }
      onProgress?.({ rows: walk.returned, total: page.total });
    }
    return all;
  }

  async *#rows(signal: AbortSignal): AsyncGenerator<T, void> {
    for await (const { rows } of this.#readPages(signal)) {
      for (const row of rows) {
        yield row;
        signal.throwIfAborted();
      }
    }
  }

  async *#pages(signal: AbortSignal): AsyncGenerator<PageWithProgress<T>, void> {
    let isFirst = true;
    for await (const step of this.#readPages(signal)) {
      if (step.rows.length > 0 || isFirst) {
        const progress: Progress = { rows: step.walk.returned, total: step.page.total };
        yield Object.assign(new ListPage(this.#options.operation, step), { progress });
      }
      isFirst = false;
    }
  }

  async #readFirst(): Promise<Page<T>> {
    const { operation, read, limit, offset = 0 } = this.#options;
    const max = Number.POSITIVE_INFINITY;
    const walker = new Walker<T>(operation, { limit, offset, max, fullPages: true });
    return new ListPage(operation, await walker.step(read), () => walker.step(read));
  }

  #readPages(
    signal: AbortSignal,
    max = Number.POSITIVE_INFINITY,
    // This includes the page that the loop waits for.
    ahead = this.#options.prefetch ?? 0,
  ): AsyncGenerator<Step<T>, void> {
    const { operation, read, limit = ITERATION_LIMIT, offset = 0 } = this.#options;
    return readPages(operation, read, { limit, offset, max, ahead, signal });
  }
}
