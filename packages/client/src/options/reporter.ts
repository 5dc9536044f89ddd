import type { RateLimit } from './client-options.ts';
import type {
  AttemptEvent,
  CallEndEvent,
  CallStartEvent,
  DriftEvent,
  Hooks,
  Logger,
  PauseEvent,
  RateLimitEvent,
  ResponseEvent,
  RetryEvent,
} from './events.ts';

/** Writes a rate limit as people would say it: `20 per minute`, `20 per 5.2 s`. */
export const limitInWords = ({ requests, perMs }: RateLimit): string =>
  `${requests} per ${perMs === 60_000 ? 'minute' : perMs === 1_000 ? 'second' : `${Number((perMs / 1_000).toPrecision(3))} s`}`;

/** Reports events to the hooks and the logger. */
export interface Reporter {
  call(...event: ['onCallStart', CallStartEvent] | ['onCallEnd', CallEndEvent]): void;
  request(event: AttemptEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
  rateLimit(event: RateLimitEvent): void;
  pause(event: PauseEvent): void;
  drift(event: DriftEvent): void;
  /** Reports the rate limit that the client has learned. */
  learned(limit: RateLimit): void;
  /** Reports something that concerns no single call. */
  warn(message: string): void;
}

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/**
 * Calls a function of the user's, which must not be able to break a call. Returns a promise if the function does, which
 * never rejects.
 */
export const ignoreErrors = (run: () => unknown): Promise<unknown> | undefined => {
  try {
    const result = run();
    // An unhandled rejection of an async hook would end the process.
    if (typeof result === 'object') {
      return Promise.resolve(result).catch(() => {});
    }
  } catch {}
  return undefined;
};

export const createReporter = (hooks: Hooks = {}, logger?: Logger): Reporter => {
  const log = (level: keyof Logger, message: string, event: object) => {
    // A query may contain a phone number or an email address, and so may a header such as `Link`.
    const safe =
      'url' in event ? { ...event, url: String(event.url).split('?')[0], headers: undefined } : event;
    // Loggers that format, as the console does, would read `%o` in untrusted text as a place for the event.
    ignoreErrors(() => logger?.[level]?.(`confab: ${message.replace(/%(?=[a-z%])/gi, '%%')}`, safe));
  };

  const reportTo =
    <Name extends keyof Hooks>(name: Name, level: keyof Logger, describe: (event: EventOf<Name>) => string) =>
    (event: EventOf<Name>): void => {
      if (hooks[name] === undefined && logger === undefined) {
        return;
      }
      // Before the hook, which may change its event.
      const message = describe(event);
      const logged = { ...event };
      // The compiler does not see that the hook of a name is called with the event of that name.
      ignoreErrors(() => (hooks as Record<Name, (event: EventOf<Name>) => void>)[name]?.(event));
      log(level, message, logged);
    };

  return {
    call(name, event) {
      // The name and the event belong together, as the signature of this function demands.
      ignoreErrors(() => hooks[name]?.(event as never));
      if (logger !== undefined && 'error' in event && event.outcome === 'error') {
        // The message of an error may quote personal data.
        const { name: error, code } = Object(event.error);
        const { operation, attempts, durationMs } = event;
        const text = `${operation} failed after ${durationMs} ms (attempts: ${attempts}): ${error} ${code ?? ''}`;
        log('info', text.trimEnd(), { ...event, error, code });
      }
    },
    request: reportTo(
      'onRequest',
      'debug',
      ({ operation, attempt }) => `sending ${operation}, attempt ${attempt}`,
    ),
    response: reportTo(
      'onResponse',
      'debug',
      ({ operation, status, durationMs }) => `${operation} returned ${status} after ${durationMs} ms`,
    ),
    retry: reportTo(
      'onRetry',
      'info',
      ({ operation, delayMs, reason }) => `retrying ${operation} in ${delayMs} ms (${reason})`,
    ),
    rateLimit: reportTo('onRateLimit', 'debug', ({ operation }) => `${operation} exceeded the rate limit`),
    pause: reportTo('onPause', 'info', ({ durationMs }) => `paused for ${durationMs} ms by a 429`),
    drift: reportTo(
      'onDrift',
      'warn',
      ({ operation, issues }) =>
        `the response of ${operation} breaks the contract: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    ),
    learned: (limit) => log('info', `learned the rate limit: ${limitInWords(limit)}`, limit),
    warn(message) {
      if (logger === undefined) {
        // Without a logger, nobody would learn that a safeguard is gone.
        // biome-ignore lint/suspicious/noConsole: it is the last resort.
        console.warn(`confab: ${message}`);
      } else {
        log('warn', message, {});
      }
    },
  };
};
