import { MockError } from '../errors/mock-error.ts';
import type { Era } from '../world/clock/era.ts';

/** A signal for the waits of one request, created when it is first needed. */
export interface AbortLink {
  readonly signal: AbortSignal;
  /** Stops listening to the caller and the era. */
  release(): void;
}

/** Links a request to its caller and its era: the signal aborts when either of them is gone. */
export const createAbortLink = (caller: AbortSignal | undefined, era: Era): AbortLink => {
  let link: AbortLink | undefined;
  const create = (): AbortLink => {
    const controller = new AbortController();
    const onAbort = () => controller.abort(caller?.reason);
    if (caller?.aborted) {
      onAbort();
    }
    caller?.addEventListener('abort', onAbort, { once: true });
    const forget = era.onEnd(() => controller.abort(restored()));
    return {
      signal: controller.signal,
      release: () => {
        caller?.removeEventListener('abort', onAbort);
        forget();
      },
    };
  };
  return {
    get signal() {
      link ??= create();
      return link.signal;
    },
    release: () => link?.release(),
  };
};

/** Why a request of an earlier era breaks off. */
export const restored = (): MockError =>
  new MockError('MOCK_RESTORED', 'The mock was restored, reset or closed while this request was under way');
