import { addCallSite } from '../errors/call-site.ts';
import { createAbortError } from '../time/abort-error.ts';

const LEFT = createAbortError('The loop over the list was left');

/** What a loop runs over. */
export interface ListIterator<T> extends AsyncIterableIterator<T, void, undefined> {
  /** Leaves the list: requests under way are aborted. */
  return(): Promise<IteratorResult<T, void>>;
}

/**
 * A generator that ends at once when it is left, also while it waits for a page: by itself, a generator would wait
 * for that page first.
 */
export const leavable = <T>(
  make: (signal: AbortSignal) => AsyncGenerator<T, void>,
  outer: AbortSignal | undefined,
): ListIterator<T> => {
  // The loop begins here, where the caller is still on the stack.
  const site = new Error();
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  const inner = make(controller.signal);
  let state: 'new' | 'begun' | 'ended' = 'new';
  const begin = () => {
    if (state !== 'new') {
      return;
    }
    state = 'begun';
    if (outer?.aborted) {
      abort();
    }
    outer?.addEventListener('abort', abort, { once: true });
  };
  const end = () => {
    state = 'ended';
    outer?.removeEventListener('abort', abort);
  };
  const leave = async (): Promise<IteratorReturnResult<void>> => {
    end();
    controller.abort(LEFT);
    await inner.return().catch(() => {});
    return { done: true, value: undefined };
  };

  return {
    async next() {
      begin();
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
        throw addCallSite(error, site);
      }
    },
    return: leave,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
