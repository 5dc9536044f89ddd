import { onAbort } from '@confab/internal';
import type { OperationId, PaginationMeta } from '../contract/types.ts';
import { createAbortError } from '../time/clock.ts';

/** An operation that returns one page of a list. */
export type ListOperation = Extract<OperationId, 'conversations.list' | 'leads.list'>;

/** Part of a list, as the service returned it. */
export interface RawPage<Row> {
  /** The requested offset. */
  readonly offset: number;
  readonly rows: Row[];
  /** Rows of the whole list; undefined when the service did not report them, or reported fewer than it returned. */
  readonly total: number | undefined;
  /** As the service sent it, or derived from the rows when it sent none. */
  readonly meta: PaginationMeta;
  /** The requested number of rows; undefined for the service's default. */
  readonly asked: number | undefined;
}

/** Rows to request. */
export interface PageRange {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export type ReadPage<Row> = (range: PageRange, signal?: AbortSignal) => Promise<RawPage<Row>>;

/** Part of a list to read. */
export interface Stretch {
  readonly offset: number;
  /** Undefined for the service's default. */
  readonly limit: number | undefined;
}

/** Reads parts of a list, some of them before they are needed. */
export interface ReadAhead<Row> {
  /** Starts reading these, and aborts all others. */
  expect(stretches: readonly Stretch[]): void;
  /** Returns the page of a stretch, which is read now unless it has been started. */
  take(stretch: Stretch): Promise<RawPage<Row>>;
  /** Aborts everything that has been started. */
  close(): void;
}

interface Started<Row> {
  readonly limit: number | undefined;
  readonly page: Promise<RawPage<Row>>;
  readonly controller: AbortController;
}

const GIVEN_UP = createAbortError('The page is not needed');

export const createReadAhead = <Row>(read: ReadPage<Row>, signal: AbortSignal): ReadAhead<Row> => {
  const started = new Map<number, Started<Row>>();
  let failed = false;

  const giveUp = (offset: number, reason: unknown) => {
    started.get(offset)?.controller.abort(reason);
    started.delete(offset);
  };
  const abortAll = (reason: unknown) => {
    for (const offset of [...started.keys()]) {
      giveUp(offset, reason);
    }
  };
  const stopListening = onAbort(signal, () => {
    for (const { controller } of started.values()) {
      controller.abort(signal.reason);
    }
  });

  const start = ({ offset, limit }: Stretch): Started<Row> => {
    const controller = new AbortController();
    if (signal.aborted) {
      controller.abort(signal.reason);
    }
    const page = read({ offset, limit }, controller.signal);
    // `take` reports the failure. Until then it must not count as an unhandled rejection, and nothing more is started.
    page.catch((reason: unknown) => {
      if (reason !== GIVEN_UP) {
        failed = true;
      }
    });
    const begun = { limit, page, controller };
    started.set(offset, begun);
    return begun;
  };

  return {
    expect(stretches) {
      const wanted = new Map(stretches.map(({ offset, limit }) => [offset, limit]));
      for (const [offset, { limit }] of started) {
        if (wanted.get(offset) !== limit) {
          giveUp(offset, GIVEN_UP);
        }
      }
      for (const stretch of stretches) {
        if (!failed && !started.has(stretch.offset)) {
          start(stretch);
        }
      }
    },
    async take(stretch) {
      const found = started.get(stretch.offset);
      if (found === undefined || found.limit !== stretch.limit) {
        abortAll(GIVEN_UP);
      }
      const { page } = started.get(stretch.offset) ?? start(stretch);
      try {
        return await page;
      } finally {
        started.delete(stretch.offset);
      }
    },
    close() {
      stopListening();
      abortAll(GIVEN_UP);
    },
  };
};
