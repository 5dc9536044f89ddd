import { createAbortError } from '../time/abort-error.ts';
import type { RawPage, ReadPage } from './read-page.ts';

/** A stretch of a list to read. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
}

/** Reads stretches of a list, some of them before they are needed. */
export interface ReadAhead<Row> {
  /** Has these under way, and gives up any other. */
  expect(stretches: readonly Stretch[]): void;
  /** The page of a stretch: from one under way, or read now. */
  take(stretch: Stretch): Promise<RawPage<Row>>;
  /** Aborts whatever is under way. */
  close(): void;
}

interface UnderWay<Row> {
  readonly limit: number;
  readonly page: Promise<RawPage<Row>>;
  readonly controller: AbortController;
}

const GIVEN_UP = createAbortError('The page is not needed any more');

export const createReadAhead = <Row>(read: ReadPage<Row>, signal: AbortSignal): ReadAhead<Row> => {
  const underWay = new Map<number, UnderWay<Row>>();
  let failed = false;

  const giveUp = (offset: number, reason: unknown) => {
    underWay.get(offset)?.controller.abort(reason);
    underWay.delete(offset);
  };
  const abortAll = (reason: unknown) => {
    for (const offset of [...underWay.keys()]) {
      giveUp(offset, reason);
    }
  };
  const abort = () => {
    for (const { controller } of underWay.values()) {
      controller.abort(signal.reason);
    }
  };
  signal.addEventListener('abort', abort, { once: true });

  const start = ({ offset, limit }: Stretch): UnderWay<Row> => {
    const controller = new AbortController();
    if (signal.aborted) {
      controller.abort(signal.reason);
    }
    const page = read({ offset, limit }, controller.signal);
    // Told when it is taken; until then it must not count as unhandled, and nothing further is begun.
    page.catch((reason: unknown) => {
      if (reason !== GIVEN_UP) {
        failed = true;
      }
    });
    const begun = { limit, page, controller };
    underWay.set(offset, begun);
    return begun;
  };

  return {
    expect(stretches) {
      const wanted = new Map(stretches.map(({ offset, limit }) => [offset, limit]));
      for (const [offset, { limit }] of underWay) {
        if (wanted.get(offset) !== limit) {
          giveUp(offset, GIVEN_UP);
        }
      }
      for (const stretch of stretches) {
        if (!failed && !underWay.has(stretch.offset)) {
          start(stretch);
        }
      }
    },
    async take(stretch) {
      const found = underWay.get(stretch.offset);
      if (found === undefined || found.limit !== stretch.limit) {
        abortAll(GIVEN_UP);
      }
      const { page } = underWay.get(stretch.offset) ?? start(stretch);
      try {
        return await page;
      } finally {
        underWay.delete(stretch.offset);
      }
    },
    close() {
      signal.removeEventListener('abort', abort);
      abortAll(GIVEN_UP);
    },
  };
};
