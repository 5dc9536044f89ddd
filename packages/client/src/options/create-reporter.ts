import type { AttemptEvent, DriftEvent, RateLimitEvent, ResponseEvent, RetryEvent } from './hook-events.ts';
import type { Hooks, Logger } from './hooks.ts';

/** Reports events to the hooks and the logger. */
export interface Reporter {
  request(event: AttemptEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
  rateLimit(event: RateLimitEvent): void;
  drift(event: DriftEvent): void;
  /** Reports something that concerns no single call. */
  warn(message: string): void;
}

/** Calls a function of the user's, which must not be able to break a call. */
const ignoreErrors = (run: () => unknown): void => {
  try {
    const result = run();
    // An unhandled rejection of an async hook would end the process.
    if (typeof result === 'object') {
      Promise.resolve(result).catch(() => {});
    }
  } catch {}
};

export const createReporter = (hooks: Hooks = {}, logger: Logger = {}): Reporter => {
  const reportTo =
    <Event extends object>(
      hook: (event: Event) => void,
      level: keyof Logger,
      describe: (event: Event) => string,
    ) =>
    (event: Event): void => {
      ignoreErrors(() => hook(event));
      ignoreErrors(() => logger[level]?.(`confab: ${describe(event)}`, event));
    };

  return {
    request: reportTo(
      (event) => hooks.onRequest?.(event),
      'debug',
      ({ operation, attempt }) => `sending ${operation}, attempt ${attempt}`,
    ),
    response: reportTo(
      (event) => hooks.onResponse?.(event),
      'debug',
      ({ operation, status, durationMs }) => `${operation} returned ${status} after ${durationMs} ms`,
    ),
    retry: reportTo(
      (event) => hooks.onRetry?.(event),
      'info',
      ({ operation, delayMs, reason }) => `retrying ${operation} in ${delayMs} ms (${reason})`,
    ),
    rateLimit: reportTo(
      (event) => hooks.onRateLimit?.(event),
      'info',
      ({ operation }) => `${operation} exceeded the rate limit`,
    ),
    drift: reportTo(
      (event) => hooks.onDrift?.(event),
      'warn',
      ({ operation, issues }) =>
        `the response of ${operation} breaks the contract: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    ),
    warn(message) {
      ignoreErrors(() => logger.warn?.(`confab: ${message}`, {}));
    },
  };
};
