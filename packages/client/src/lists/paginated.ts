import type { Checks } from '@confab/internal';
import { integerFrom, isFunction } from '@confab/internal';
import type { Caller } from '../call/call.ts';
import type { DataOf } from '../call/call-result.ts';
import { operations } from '../contract/operations.ts';
import type { ConversationListQuery, LeadListQuery } from '../contract/types.ts';
import type { CallSite } from '../errors/confab-error.ts';
import { addCallSite } from '../errors/confab-error.ts';
import type { Reporter } from '../hooks/reporter.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS, checkCallOptions, checkOptions } from '../options/option-checks.ts';
import { showAs } from '../runtime/runtime.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { ListIterator } from './list-iterator.ts';
import { createListIterator } from './list-iterator.ts';
import type { FetchPage, ListOperation, Page, PageWithProgress, Progress, Step } from './page.ts';
import { ListPage, parsePage } from './page.ts';
import { walkPages } from './read-ahead.ts';
import { Walker } from './walker.ts';

/** Options of a list: those of each of its calls, and how to iterate. */
export interface ListOptions extends CallOptions {
  /**
   * The number of pages to read ahead while iterating.
   *
   * @default 0
   */
  prefetch?: number | undefined;
}

const LIST_OPTIONS: Checks<ListOptions> = { ...CALL_OPTIONS, prefetch: integerFrom(0) };

/** A row of a list. */
type RowOf<Id extends ListOperation> = DataOf<Id>[number];

interface ListQueries {
  'conversations.list': ConversationListQuery;
  'leads.list': LeadListQuery;
}

export type QueryOf<Id extends ListOperation> = ListQueries[Id];

/** Creates a paged list. */
export type ListById = <Id extends ListOperation>(
  id: Id,
  query?: QueryOf<Id>,
  options?: ListOptions,
) => Paginated<RowOf<Id>>;

/** Options of {@link Paginated.all}. */
export interface AllOptions {
  /**
   * The maximum number of rows to read.
   *
   * @default Infinity
   */
  max?: number | undefined;
  /**
   * The maximum number of pages to read at once, after the first. The client's own `concurrency` and rate limit also apply.
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
  readonly read: FetchPage<T>;
  /** Shown by `console.log`. */
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
 * Iterating returns every row that exists throughout exactly once, even while rows are inserted, removed or changed,
 * provided that the rows that stay keep their order. With an `offset`, the guarantee covers the rows that stay at or
 * after the offset. Each loop starts from the beginning; leaving a loop aborts its requests.
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

  /** Reads the first page, with `limit` rows, or the service's default of 25. The request is sent once. */
  readonly then: Promise<Page<T>>['then'] = (onFulfilled, onRejected) =>
    this.#readFirst().then(onFulfilled, onRejected);
  /** Reads the first page as {@link Paginated.then} does, and calls the function if that fails. */
  readonly catch: Promise<Page<T>>['catch'] = (onRejected) => this.#readFirst().catch(onRejected);
  /** Reads the first page as {@link Paginated.then} does, and calls the function when that succeeds or fails. */
  readonly finally: Promise<Page<T>>['finally'] = (onFinally) => this.#readFirst().finally(onFinally);

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

  /** Every promise has this property; without it, TypeScript would not accept a list as a promise of its first page. */
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
   * @throws A {@link ConfigurationError} when an option is unknown or invalid.
   * @example
   * ```ts
   * const newest = await confab.leads.list({ status: 'new' }).all({ max: 1_000 });
   * ```
   */
  async all(options: AllOptions = {}): Promise<T[]> {
    checkOptions('all() option', options, ALL_OPTIONS, this.#options.redact);
    const { max = Number.POSITIVE_INFINITY, concurrency = 4, onProgress } = options;
    const all: T[] = [];
    const steps = createListIterator((signal) => this.#walk(signal, max, concurrency), this.#options.signal);
    for await (const { rows, returned, total } of steps) {
      // `push(...rows)` would overflow the stack if a faulty service returned a huge page.
      for (const row of rows) {
        all.push(row);
      }
      onProgress?.({ rows: returned, total });
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
    for await (const step of this.#walk(signal)) {
      const progress: Progress = { rows: step.returned, total: step.total };
      yield Object.assign(new ListPage(this.#options.operation, step), { progress });
    }
  }

  #readFirst(): Promise<Page<T>> {
    if (this.#first === undefined) {
      const { operation, read, limit, offset = 0 } = this.#options;
      const max = Number.POSITIVE_INFINITY;
      const walker = new Walker<T>(operation, { limit, offset, max, fullPages: true });
      const readPage = async (): Promise<Page<T>> =>
        new ListPage(operation, await walker.step(read), readPage);
      this.#first = readPage().catch((error: unknown) => {
        // After a failure, the next `await` tries again.
        this.#first = undefined;
        throw addCallSite(error, this.#site);
      });
    }
    return this.#first;
  }

  #walk(
    signal: AbortSignal,
    max = Number.POSITIVE_INFINITY,
    // The pages to request as soon as a page has arrived, the next one included. `all()` uses each page at once, so this
    // is the number of its pages in flight.
    pagesAhead = this.#options.prefetch ?? 0,
  ): AsyncGenerator<Step<T>, void> {
    const { operation, read, limit = ITERATION_LIMIT, offset = 0 } = this.#options;
    return walkPages(operation, read, { limit, offset, max, pagesAhead, signal });
  }
}

/** @internal */
export const createListById =
  (makeCall: Caller['makeCall'], reporter: Reporter, redact: Redact): ListById =>
  <Id extends ListOperation>(id: Id, query?: QueryOf<Id>, options?: ListOptions) => {
    if (options !== undefined) {
      checkCallOptions(operations[id], options, LIST_OPTIONS, redact);
    }
    const { prefetch, ...callOptions } = options ?? {};
    const { limit, offset } = query ?? {};
    const isPaged = typeof (limit ?? 0) === 'number' && typeof (offset ?? 0) === 'number';

    const read: FetchPage<RowOf<Id>> = async (range, signal = callOptions.signal, isAhead = false) => {
      // A `limit` or `offset` that is not a number is sent as it is, so that the contract's check refuses it. An offset
      // of 0 is sent only if the caller passed it.
      const page = isPaged ? { limit: range.limit, offset: range.offset || offset } : undefined;
      // Nobody waits for a page that is read ahead, so it must not delay a call that a program makes directly.
      const input = { query, page, isBulk: isAhead };
      const readOptions =
        signal === undefined && options === undefined ? undefined : { ...callOptions, signal };
      const result = await makeCall(operations[id], input, readOptions, (response) =>
        parsePage<RowOf<Id>>(response, range, reporter),
      );
      if ('error' in result) {
        throw result.error;
      }
      return result.data;
    };
    const { signal } = callOptions;
    return new Paginated<RowOf<Id>>({
      operation: id,
      read,
      query: { ...query },
      limit: isPaged ? limit : undefined,
      offset: isPaged ? offset : undefined,
      prefetch,
      signal,
      redact,
    });
  };
