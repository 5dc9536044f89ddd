import type { CallEvent, DriftEvent, RateLimitEvent, ResponseEvent, RetryEvent } from './hook-events.ts';
import type { Hooks, Logger } from './hooks.ts';

/** Reports events to the hooks and the logger. */
export interface Reporter {
  request(event: CallEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
  rateLimit(event: RateLimitEvent): void;
  drift(event: DriftEvent): void;
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
  const log = (level: keyof Logger, message: string, event: object) =>
    ignoreErrors(() => logger[level]?.(`confab: ${message}`, event));

  return {
    request(event) {
      ignoreErrors(() => hooks.onRequest?.(event));
      log('debug', `sending ${event.operation}, attempt ${event.attempt}`, event);
    },
    response(event) {
      ignoreErrors(() => hooks.onResponse?.(event));
      log('debug', `${event.operation} returned ${event.status} after ${event.durationMs} ms`, event);
    },
    retry(event) {
      ignoreErrors(() => hooks.onRetry?.(event));
      log('info', `retrying ${event.operation} in ${event.delayMs} ms (${event.reason})`, event);
    },
    rateLimit(event) {
      ignoreErrors(() => hooks.onRateLimit?.(event));
      log('info', `${event.operation} exceeded the rate limit`, event);
    },
    drift(event) {
      ignoreErrors(() => hooks.onDrift?.(event));
      const issues = event.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
      log('warn', `the response of ${event.operation} breaks the contract: ${issues}`, event);
    },
  };
};
