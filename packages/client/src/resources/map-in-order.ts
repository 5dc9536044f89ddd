import { isObject, rejectOnAbort, typeName } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { ignoreErrors } from '../hooks/reporter.ts';
import { yieldToEventLoop } from '../time/clock.ts';

/** After this many items, the event loop gets a turn; otherwise a synchronous source would block timers and signals. */
const ITEMS_PER_TURN = 50;

/**
 * Maps items, several at a time, and yields the results in the order of the items. The source is read one item at a
 * time, and never further ahead than `concurrency`. An error of the source or of `map` is thrown after the results of
 * the items before it. When the loop ends early, the source is closed.
 *
 * @param concurrency Maximum number of items in progress, including finished ones that are waiting for an earlier one.
 * @param ended Ends the loop at once, with the signal's reason.
 */
export const mapInOrder = async function* <Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  map: (item: Item, index: number) => Promise<Result>,
  concurrency: number,
  ended: AbortSignal,
): AsyncGenerator<Result, void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let state = 'ready' as 'ready' | 'reading' | 'ended';
  let count = 0;
  /** The results of the items in progress. The last one is undefined if the source ends there. */
  const results: Promise<{ readonly result: Result } | undefined>[] = [];

  const readNext = (): void => {
    if (state === 'ready' && results.length < concurrency && !ended.aborted) {
      state = 'reading';
      const result = readAndMap();
      // The loop awaits it when it is the first one. Until then, a failure must not count as an unhandled rejection.
      result.catch(() => {});
      results.push(result);
    }
  };

  const readAndMap = async (): Promise<{ readonly result: Result } | undefined> => {
    let next: IteratorResult<Item> | undefined;
    try {
      next = await source.next();
    } finally {
      // A result that is not an object has no `done`, so reading would never end.
      if (!isObject(next) || next.done) {
        state = 'ended';
      }
    }
    if (!isObject(next)) {
      throw new ConfigurationError(
        `\`next()\` of \`rows\` must return { done, value }, got ${typeName(next)}.`,
      );
    }
    if (next.done) {
      return undefined;
    }
    const index = count;
    count += 1;
    if (count % ITEMS_PER_TURN === 0) {
      await yieldToEventLoop();
    }
    const result = map(next.value, index);
    // The loop may have ended meanwhile.
    if (state === 'reading') {
      state = 'ready';
      readNext();
    }
    return { result: await result };
  };

  try {
    for (;;) {
      ended.throwIfAborted();
      readNext();
      const [first] = results;
      const mapped = first && (await rejectOnAbort(first, ended));
      if (mapped === undefined) {
        return;
      }
      results.shift();
      yield mapped.result;
    }
  } finally {
    const closesAt = state;
    state = 'ended';
    if (closesAt !== 'ended') {
      const closed = ignoreErrors(() => source.return?.());
      // A generator that is about to yield a row closes only after that, and other sources may never close. So the wait
      // is two turns: the first ends once the source has begun to close.
      await (closesAt === 'reading'
        ? undefined
        : Promise.race([closed, yieldToEventLoop().then(yieldToEventLoop)]));
    }
  }
};
