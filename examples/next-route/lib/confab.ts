import type { Confab } from '@confab/client';
import { createClient } from '@confab/client';

let client: Confab | undefined;

/**
 * The one client of this server, from `CONFAB_BASE_URL` and `CONFAB_API_KEY`.
 *
 * Made at the first request: `next build` loads every route, on machines that have no key.
 */
export const confab = (): Confab =>
  (client ??= createClient({
    // A visitor waits for the answer: rather say "later" than keep them in a queue for a minute.
    retry: { maxRetryAfter: 2_000 },
    rateLimit: false,
    deadline: 10_000,
  }));
