import { namesOf } from '@confab/internal';
import type { CallOptions, ClientOptions, RateLimit, RetryOptions } from './client-options.ts';
import type { Hooks } from './hooks.ts';

const shared = { timeout: true, deadline: true, retry: true, validation: true, headers: true } as const;

export const CALL_OPTIONS = namesOf<CallOptions>({ ...shared, signal: true });

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

export const RETRY_FIELDS = namesOf<RetryOptions>({
  limit: true,
  maxRetryAfter: true,
  baseDelay: true,
  maxDelay: true,
  nonIdempotent: true,
});

export const RATE_LIMIT_FIELDS = namesOf<RateLimit>({ requests: true, perMs: true });

export const HOOKS = namesOf<Hooks>({
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onRateLimit: true,
  onDrift: true,
});
