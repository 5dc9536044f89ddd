import { namesOf } from '@confab/internal';
import type { CallSite } from '../errors/call-site.ts';
import { addCallSite } from '../errors/call-site.ts';
import { checkNames } from '../options/check-names.ts';
import { atLeast } from '../options/check-values.ts';
import { inspectable } from '../secrecy/inspectable.ts';
import type { ListIterator } from './leavable.ts';
import { leavable } from './leavable.ts';
import type { Page } from './page.ts';
import { createPage, showPage } from './page.ts';
import type { ListOperation, ReadPage } from './read-page.ts';
import type { Step } from './walk.ts';
import { walk } from './walk.ts';

/** How far a long read has come. */
export interface Progress {
  /** Rows so far. */
  readonly rows: number;
  /** Rows of the whole list, as the service last said; undefined when it does not say. */
  readonly total: number | undefined;
}

/** Options of {@link Paginated.all}. */
export interface AllOptions {
  /**
   * Most rows to get.
   *
   * @default all of them
   */
  max?: number | undefined;
  /**
   * Pages on their way at once, after the first. The client's own `concurrency` and pace hold besides.
   *
   * @default 4
   */
  concurrency?: number | undefined;
  /** Told after each page. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

const ALL_OPTIONS = namesOf<AllOptions>({ max: true, concurrency: true, onProgress: true });

/** A page of {@link Paginated.pages}. */
export interface PageWithProgress<T> extends Omit<Page<T>, 'next'> {
  /** The number of rows read so far, including this page. */
  readonly progress: Progress;
}

/** Rows asked for at once when iterating: the most that the API gives. */
const ITERATION_LIMIT = 100;

export interface PaginatedOptions<T> {
  readonly operation: ListOperation;
  readonly read: ReadPage<T>;
  /** To be shown. */
  readonly query: object;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly prefetch: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * A list that comes in pages. Nothing is sent before it is used: awaited for one page, or iterated for all rows.
 *
 * Iterating gives every row that is there throughout exactly once, also while rows are inserted, removed or
 * changed, as long as those that stay keep their order. Each loop starts again from the beginning; leaving it stops
 * the requests.
 *
 * Like a promise it is unwrapped by whatever awaits it: an `async` function that returns a list returns its first page.
 *
 * @example
 * ```ts
 * const page = await confab.leads.list({ status: 'new' });
 * for await (const lead of confab.leads.list({ status: 'new' })) await greet(lead);
 * const leads = await confab.leads.list().all({ max: 1_000, concurrency: 8 });
 * ```
 */
export class Paginated<T extends { id: string }> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  readonly #options: PaginatedOptions<T>;
  /** Of whoever made the list: an `await` begins without its caller on the stack. */
  readonly #site: CallSite = new Error();
  #first: Promise<Page<T>> | undefined;

  static {
    inspectable(Paginated.prototype, 'Paginated', (list) => {
      const { operation, query } = list.#options;
      return { operation, query };
    });
  }

  /** @internal */
  constructor(options: PaginatedOptions<T>) {
    atLeast(0, 'prefetch', options.prefetch ?? 0, true);
    this.#options = options;
  }

  /** Gets the first page, with the rows that `limit` asks for, or the service's default. Sent once. */
  then<Fulfilled = Page<T>, Rejected = never>(
    onFulfilled?: ((page: Page<T>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    const { read, limit, offset } = this.#options;
    this.#first ??= read({ limit, offset }).then(
      (raw) => createPage(raw, read),
      (error: unknown) => {
        // Whoever awaits again after a failure means it.
        this.#first = undefined;
        throw addCallSite(error, this.#site);
      },
    );
    return this.#first.then(onFulfilled, onRejected);
  }

  /** Gets the first page, as {@link Paginated.then} does, or what the function makes of the failure. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<T> | Rejected> {
    return this.then(undefined, onRejected);
  }

  /** Gets the first page, as {@link Paginated.then} does, and calls the function when it has come or failed. */
  finally(onFinally?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onFinally);
  }

  /** Iterates over all rows, a page of 100 at a time unless `limit` is given. */
  [Symbol.asyncIterator](): ListIterator<T> {
    return leavable((signal) => this.#rows(signal), this.#options.signal);
  }

  /**
   * Iterates over pages. Each tells how many rows there were so far, and of how many.
   *
   * Each page but the first is asked for one row early, to notice a change of the list, so it holds a row less
   * than `limit`.
   */
  pages(): ListIterator<PageWithProgress<T>> {
    return leavable((signal) => this.#pages(signal), this.#options.signal);
  }

  /**
   * Gets all rows in order, several pages at a time.
   *
   * @throws {@link ConfigurationError} When an option is unknown or invalid.
   */
  async all(options: AllOptions = {}): Promise<T[]> {
    checkNames('option of all()', options, ALL_OPTIONS);
    const { max = Number.POSITIVE_INFINITY, concurrency = 4, onProgress } = options;
    if (max !== Number.POSITIVE_INFINITY) {
      atLeast(0, 'max', max, true);
    }
    atLeast(1, 'concurrency', concurrency, true);
    const all: T[] = [];
    const steps = leavable((signal) => this.#walk(signal, max, concurrency), this.#options.signal);
    for await (const { rows, page, soFar } of steps) {
      // Not `push(...rows)`: a page of a service gone wrong may be larger than the stack.
      for (const row of rows) {
        all.push(row);
      }
      onProgress?.({ rows: soFar, total: page.total });
    }
    return all;
  }

  async *#rows(signal: AbortSignal): AsyncGenerator<T, void> {
    for await (const { rows } of this.#walk(signal)) {
      for (const row of rows) {
        yield row;
        signal.throwIfAborted();
      }
    }
  }

  async *#pages(signal: AbortSignal): AsyncGenerator<PageWithProgress<T>, void> {
    let isFirst = true;
    for await (const { rows, page, soFar } of this.#walk(signal)) {
      if (rows.length === 0 && !isFirst) {
        continue;
      }
      isFirst = false;
      const { data, meta, hasNext } = createPage(page, this.#options.read, rows);
      yield showPage({ data, meta, hasNext, progress: { rows: soFar, total: page.total } });
    }
  }

  #walk(
    signal: AbortSignal,
    max = Number.POSITIVE_INFINITY,
    // The page being waited for is one of those on their way.
    ahead = this.#options.prefetch ?? 0,
  ): AsyncGenerator<Step<T>, void> {
    const { operation, read, limit = ITERATION_LIMIT, offset = 0 } = this.#options;
    return walk(operation, read, { limit, offset, max, ahead, signal });
  }
}
