import { createSlidingWindow } from '@confab/internal';
import type { RateLimit } from '../options/client-options.ts';
import type { RateWindow } from '../options/rate-window.ts';
import type { Clock } from '../time/clock.ts';

/** The span that `'learn'` applies a limit to: the API counts requests per minute, over a sliding window. */
const LEARNED_SPAN = 60_000;

/**
 * Counts the requests of this client alone. A request counts from its start until `perMs` milliseconds after its end.
 * The service counts it at some moment in between, so no window of the service contains more requests than our own.
 */
export const createLocalWindow = (rateLimit: 'learn' | RateLimit | false, clock: Clock): RateWindow => {
  // Stryker disable next-line ConditionalExpression: A text and false have neither of the two fields.
  const fixed = typeof rateLimit === 'object' ? rateLimit : undefined;
  const perMs = fixed?.perMs ?? LEARNED_SPAN;
  const ends = createSlidingWindow(perMs);
  let allowed = fixed?.requests;
  return {
    startsAt(now, { inFlight }) {
      if (allowed === undefined) {
        return now;
      }
      const room = allowed - inFlight;
      const excess = ends.count(now) - room;
      if (excess < 0) {
        return now;
      }
      const last = ends.at(excess);
      return last === undefined ? undefined : last + perMs;
    },
    take: () => (counts) => {
      // Stryker disable next-line ConditionalExpression,BooleanLiteral: Without a limit, counting only takes memory.
      if (counts && rateLimit !== false) {
        const now = clock.now();
        // Also drops old ones: nothing else does while no limit is known.
        // Stryker disable next-line CallExpression: It only frees memory.
        ends.count(now);
        ends.add(now);
      }
    },
    learn(limit) {
      if (rateLimit === 'learn') {
        allowed = limit;
      }
    },
    pause: () => {},
  };
};
