import { onAbort } from '@confab/internal';

/**
 * Creates a controller that aborts when one of the signals does, until `release` is called. `AbortSignal.any()` would keep
 * all signals in memory while the longest-lived one exists.
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
