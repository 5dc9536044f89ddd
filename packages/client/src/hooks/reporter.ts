import type { Hooks, Logger } from './events.ts';

type EventOf<Name extends keyof Hooks> = Parameters<NonNullable<Hooks[Name]>>[0];

/** Reports events to the hooks and the logger. */
export interface Reporter {
  /** Calls a hook, and logs a line about its event. */
  emit<Name extends keyof Hooks>(name: Name, event: EventOf<Name>): void;
  /** Writes a line for the logger that does not belong to an event. */
  log(level: keyof Logger, message: string, details?: object): void;
  /** Warns of a lost safeguard; without a logger, on the console. */
  warn(message: string): void;
}

/** A line for the logger: its level, its message, and the event or the part of it that may be logged. */
type Line = readonly [level: keyof Logger, message: string, event?: object];

/** The lines of the events; undefined for an event without one. */
const LINES: { readonly [Name in keyof Required<Hooks>]: (event: EventOf<Name>) => Line | undefined } = {
  onCallStart: () => undefined,
  onCallEnd: (event) => {
    if (event.outcome !== 'error') {
      return undefined;
    }
    // The message of an error may quote personal data.
    const { name: error, code } = Object(event.error);
    const { operation, attempts, durationMs } = event;
    const text = `${operation} failed after ${durationMs} ms (attempts: ${attempts}): ${error} ${code ?? ''}`;
    return ['info', text.trimEnd(), { ...event, error, code }];
  },
  onRequest: ({ operation, attempt }) => ['debug', `sending ${operation}, attempt ${attempt}`],
  onResponse: ({ operation, status, durationMs }) => [
    'debug',
    `${operation} returned ${status} after ${durationMs} ms`,
  ],
  onRetry: ({ operation, delayMs, reason }) => ['info', `retrying ${operation} in ${delayMs} ms (${reason})`],
  onRateLimit: ({ operation }) => ['debug', `${operation} exceeded the rate limit`],
  onPause: ({ durationMs }) => ['info', `paused for ${durationMs} ms by a 429`],
  onDrift: ({ operation, issues }) => [
    'warn',
    `the response of ${operation} breaks the contract: ${issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
  ],
};

/** Calls a user's function, and ignores its errors. Returns a promise if the function does, which never rejects. */
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
  const log: Reporter['log'] = (level, message, event = {}) => {
    // A query and a header such as `Link` may contain a phone number or an email address.
    const safe =
      'url' in event ? { ...event, url: String(event.url).split('?')[0], headers: undefined } : event;
    // Loggers with format specifiers, such as the console, would replace `%o` in untrusted text with the event.
    ignoreErrors(() => logger?.[level]?.(`confab: ${message.replace(/%(?=[a-z%])/gi, '%%')}`, safe));
  };

  return {
    emit(name, event) {
      // Logged first, because a hook may change its event.
      const line = logger && LINES[name](event);
      if (line) {
        log(line[0], line[1], line[2] ?? { ...event });
      }
      if (hooks[name]) {
        // The compiler does not see that the hook of a name is called with the event of that name.
        ignoreErrors(() => hooks[name]?.(event as never));
      }
    },
    log,
    warn(message) {
      if (logger === undefined) {
        // biome-ignore lint/suspicious/noConsole: it is the last resort.
        console.warn(`confab: ${message}`);
      } else {
        log('warn', message);
      }
    },
  };
};
