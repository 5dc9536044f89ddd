import type { Era } from '../world/clock/era.ts';

/** A signal for the waits of one request, which is made when it is first needed. */
export interface Link {
  readonly signal: AbortSignal;
  /** Takes it off what it hangs on. */
  undo(): void;
}

/** Links a request to its caller and its era: whichever is gone first, there is nothing to wait for any more. */
export const createLink = (caller: AbortSignal | undefined, era: Era): Link => {
  let made: { readonly signal: AbortSignal; readonly undo: () => void } | undefined;
  const make = () => {
    const controller = new AbortController();
    const onAbort = () => controller.abort(caller?.reason);
    if (caller?.aborted) {
      onAbort();
    }
    caller?.addEventListener('abort', onAbort, { once: true });
    const forget = era.onEnd(() => controller.abort(new Error('The mock was restored or reset')));
    return {
      signal: controller.signal,
      undo: () => {
        caller?.removeEventListener('abort', onAbort);
        forget();
      },
    };
  };
  return {
    get signal() {
      made ??= make();
      return made.signal;
    },
    undo: () => made?.undo(),
  };
};
