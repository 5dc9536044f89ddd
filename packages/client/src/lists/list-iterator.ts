import { onAbort } from '@confab/internal';
import { addCallSite } from '../errors/confab-error.ts';
import { createAbortError } from '../time/clock.ts';

const LEFT = createAbortError('The loop ended early');

/** An iterator over a list. After a failure, each further step rejects with the same error. */
export interface ListIterator<T> extends AsyncIterableIterator<T, void, undefined> {
  /** Ends the iteration and aborts the requests in flight. */
  return(): Promise<IteratorResult<T, void>>;
}

/** Wraps a generator so that leaving its loop ends it at once. A plain generator would first wait for its page. */
export const createListIterator = <T>(
  make: (signal: AbortSignal) => AsyncGenerator<T, void>,
  outer: AbortSignal | undefined,
): ListIterator<T> => {
  // The call site is kept here, because the caller is no longer on the stack when a page fails.
  const site = new Error();
  const controller = new AbortController();
  const inner = make(controller.signal);
  let stopListening: (() => void) | undefined;
  let failure: { readonly error: unknown } | undefined;
  const begin = () => {
    const abort = () => controller.abort(outer?.reason);
    if (outer?.aborted) {
      abort();
    }
    return outer ? onAbort(outer, abort) : () => {};
  };
  const end = () => {
    stopListening?.();
    // This keeps `next()` from beginning again after the end.
    stopListening = () => {};
    controller.abort(LEFT);
  };
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    end();
    await inner.return().catch(() => {});
    return { done: true, value: undefined };
  };

  return {
    async next() {
      if (failure !== undefined) {
        throw failure.error;
      }
      stopListening ??= begin();
      try {
        const result = await inner.next();
        if (result.done) {
          end();
        }
        return result;
      } catch (error) {
        end();
        if (error === LEFT) {
          return { done: true, value: undefined };
        }
        failure = { error: addCallSite(error, site) };
        throw failure.error;
      }
    },
    return: leave,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
