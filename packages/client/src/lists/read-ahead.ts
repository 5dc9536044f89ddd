import { onAbort } from '@confab/internal';
import { createAbortError } from '../time/clock.ts';
import type { FetchPage, ListOperation, PageRange, RawPage, Step } from './page.ts';
import type { WalkOptions } from './walker.ts';
import { Walker } from './walker.ts';

/** A page that was requested and is not needed yet. */
interface PendingPage<Row> {
  readonly limit: number | undefined;
  readonly page: Promise<RawPage<Row>>;
  readonly controller: AbortController;
}

const NOT_NEEDED = createAbortError('The page is not needed');

/**
 * Reads a list to its end. When a page has arrived, the next `pagesAhead` pages are requested at once, while the
 * caller uses it. When the loop ends early, its requests are aborted.
 */
export async function* walkPages<Row extends { id: string }>(
  operation: ListOperation,
  read: FetchPage<Row>,
  {
    pagesAhead,
    signal,
    ...options
  }: WalkOptions & { readonly pagesAhead: number; readonly signal: AbortSignal },
): AsyncGenerator<Step<Row>, void, undefined> {
  const walker = new Walker<Row>(operation, options);
  /** The requested pages, by offset. */
  const pages = new Map<number, PendingPage<Row>>();
  let hasFailed = false;

  const start = ({ offset, limit }: PageRange, isAhead: boolean): PendingPage<Row> => {
    const controller = new AbortController();
    if (signal.aborted) {
      controller.abort(signal.reason);
    }
    const page = read({ offset, limit }, controller.signal, isAhead);
    // The step that awaits the page reports its failure. Until then, it must not count as an unhandled rejection.
    page.catch((reason: unknown) => {
      hasFailed ||= reason !== NOT_NEEDED;
    });
    const started = { limit, page, controller };
    pages.set(offset, started);
    return started;
  };

  const abortAllBut = (ranges: readonly PageRange[]): void => {
    for (const [offset, { limit, controller }] of pages) {
      if (!ranges.some((range) => range.offset === offset && range.limit === limit)) {
        controller.abort(NOT_NEEDED);
        pages.delete(offset);
      }
    }
  };

  const take = async (range: PageRange): Promise<RawPage<Row>> => {
    const found = pages.get(range.offset);
    if (found === undefined || found.limit !== range.limit) {
      // The walk has stepped back, so the pages that were read ahead no longer fit.
      abortAllBut([]);
    }
    const { page } = pages.get(range.offset) ?? start(range, false);
    try {
      return await page;
    } finally {
      pages.delete(range.offset);
    }
  };

  const stopListening = onAbort(signal, () => {
    for (const { controller } of pages.values()) {
      controller.abort(signal.reason);
    }
  });
  try {
    for (let ended = options.max === 0; !ended; signal.throwIfAborted()) {
      const step = await walker.step(take);
      ended = step.ended;
      const ranges = ended ? [] : walker.nextRanges(pagesAhead);
      abortAllBut(ranges);
      for (const range of ranges) {
        if (!hasFailed && !pages.has(range.offset)) {
          start(range, true);
        }
      }
      yield step;
    }
  } finally {
    stopListening();
    abortAllBut([]);
  }
}
