import { namesOf } from '@confab/internal';
import type { Hooks } from './hooks.ts';
import type { CallOptions, ClientOptions, Rate, RetryOptions } from './options.ts';

const shared = { timeout: true, deadline: true, retry: true, validation: true, headers: true } as const;

/** Names of the options of one call. */
export const CALL_OPTIONS = namesOf<CallOptions>({ ...shared, signal: true });

/** Names of the options of a client. */
export const CLIENT_OPTIONS = namesOf<ClientOptions>({
  ...shared,
  baseUrl: true,
  apiKey: true,
  auth: true,
  rateLimit: true,
  concurrency: true,
  maxResponseBytes: true,
  fetch: true,
  clock: true,
  hooks: true,
  logger: true,
  dangerouslyAllowBrowser: true,
});

/** Names of the fields of `retry`. */
export const RETRY_FIELDS = namesOf<RetryOptions>({
  limit: true,
  maxRetryAfter: true,
  baseDelay: true,
  maxDelay: true,
  nonIdempotent: true,
});

/** Names of the fields of `rateLimit`. */
export const RATE_FIELDS = namesOf<Rate>({ requests: true, perMs: true });

/** Names of the hooks. */
export const HOOKS = namesOf<Hooks>({
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onRateLimit: true,
  onDrift: true,
});
