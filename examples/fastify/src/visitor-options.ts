import type { ClientOptions } from '@confab/client';

/** Options for calls that a visitor waits for. A "try again later" at once is better than a response in a minute. */
export const visitorOptions = {
  retry: { maxRetryAfter: 2_000 },
  // With client-side limiting, visitors would wait in a queue until their total timeout.
  rateLimit: false,
  totalTimeout: 10_000,
} satisfies ClientOptions;
