import type { Confab } from '@confab/client';
import { createClient } from '@confab/client';

let client: Confab | undefined;

/**
 * Returns the only client of this server, configured by `CONFAB_BASE_URL` and `CONFAB_API_KEY`.
 *
 * It is created at the first request, because `next build` loads every route on machines without a key.
 */
export const confab = (): Confab =>
  (client ??= createClient({
    // A visitor waits for the response. A "try again later" at once is better than a minute in a queue.
    retry: { maxRetryAfter: 2_000 },
    rateLimit: false,
    totalTimeout: 10_000,
  }));
