import type { ClientOptions } from '@confab/client';

/** For calls that a visitor waits for: rather "later" at once than an answer in a minute. */
export const patience = {
  retry: { maxRetryAfter: 2_000 },
  // A pace would have visitors queue up to it, until their deadline.
  rateLimit: false,
  deadline: 10_000,
} satisfies ClientOptions;
