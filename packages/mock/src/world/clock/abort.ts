import { onAbort } from '@confab/internal';

/**
 * A controller that is aborted together with any of the signals, until `release` is called. `AbortSignal.any()` would keep
 * each of its signals in memory for as long as the longest-lived one.
 */
export const linkSignals = (
  ...signals: readonly (AbortSignal | undefined)[]
): { readonly controller: AbortController; readonly release: () => void } => {
  const controller = new AbortController();
  const stops = signals
    .filter((signal) => signal !== undefined)
    .map((signal) => {
      const abort = () => controller.abort(signal.reason);
      if (signal.aborted) {
        abort();
      }
      return onAbort(signal, abort);
    });
  return { controller, release: () => stops.forEach((stop) => void stop()) };
};
