import type { Issue, OperationId } from '../contract/types/index.ts';

/** Facts that every hook is given. */
export interface CallFacts {
  /** `leads.create`. */
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  /** 1 for the first time that the request is sent. */
  readonly attempt: number;
}

/** Facts of an answer, whatever its status. */
export interface ResponseFacts extends CallFacts {
  readonly status: number;
  /** Lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds from sending to the last byte of the body. */
  readonly durationMs: number;
}

/** Facts of a request that will be sent again. */
export interface RetryFacts extends CallFacts {
  readonly reason: 'rate-limit' | 'status' | 'connection' | 'timeout';
  /** The status, when there was a response. */
  readonly status: number | undefined;
  /** Milliseconds until the request is sent again at the earliest. */
  readonly delayMs: number;
}

/** Facts of a 429. */
export interface RateLimitFacts extends CallFacts {
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  readonly retryAfterMs: number | undefined;
}

/** Facts of a response that breaks the contract. */
export interface DriftFacts {
  readonly operation: OperationId;
  /** Where the response breaks the contract. */
  readonly issues: readonly Issue[];
}

/**
 * Functions that are told what happens, given plain facts and never the request, so that none can leak the
 * key. What they return is ignored, what they throw too.
 *
 * @example
 * ```ts
 * createClient({ hooks: { onRetry: ({ operation, reason }) => metrics.count('retry', { operation, reason }) } });
 * ```
 */
export interface Hooks {
  /** An attempt is about to be sent. */
  onRequest?(facts: CallFacts): void;
  /** An attempt was answered, whatever the status. */
  onResponse?(facts: ResponseFacts): void;
  /** The request will be sent again. */
  onRetry?(facts: RetryFacts): void;
  /** The service answered 429. */
  onRateLimit?(facts: RateLimitFacts): void;
  /** A response breaks the contract. */
  onDrift?(facts: DriftFacts): void;
}

/** A line and its facts. `console`, pino (with the arguments swapped) and most others fit. */
export interface Logger {
  debug?(message: string, facts: object): void;
  info?(message: string, facts: object): void;
  warn?(message: string, facts: object): void;
}

/** Calls a function of the user's that must not be able to break a call. */
const quietly = (run: () => unknown): void => {
  try {
    const result = run();
    // An async hook is no different: its rejection must not end the process.
    if (typeof result === 'object') {
      Promise.resolve(result).catch(() => {});
    }
  } catch {}
};

/** Tells hooks and logger. */
export interface Reporter {
  request(facts: CallFacts): void;
  response(facts: ResponseFacts): void;
  retry(facts: RetryFacts): void;
  rateLimit(facts: RateLimitFacts): void;
  drift(facts: DriftFacts): void;
}

export const createReporter = (hooks: Hooks = {}, logger: Logger = {}): Reporter => ({
  request(facts) {
    quietly(() => hooks.onRequest?.(facts));
    quietly(() => logger.debug?.(`confab: ${facts.operation} sent, attempt ${facts.attempt}`, facts));
  },
  response(facts) {
    quietly(() => hooks.onResponse?.(facts));
    quietly(() =>
      logger.debug?.(`confab: ${facts.operation} answered ${facts.status} in ${facts.durationMs} ms`, facts),
    );
  },
  retry(facts) {
    quietly(() => hooks.onRetry?.(facts));
    quietly(() =>
      logger.info?.(`confab: ${facts.operation} again in ${facts.delayMs} ms after ${facts.reason}`, facts),
    );
  },
  rateLimit(facts) {
    quietly(() => hooks.onRateLimit?.(facts));
    quietly(() => logger.info?.(`confab: ${facts.operation} met the rate limit`, facts));
  },
  drift(facts) {
    quietly(() => hooks.onDrift?.(facts));
    quietly(() =>
      logger.warn?.(
        `confab: the response of ${facts.operation} breaks the contract: ${facts.issues.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
        facts,
      ),
    );
  },
});
