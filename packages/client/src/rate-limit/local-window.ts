import type { RateLimit } from '../options/client-options.ts';
import type { RateWindow } from '../options/rate-window.ts';
import type { Clock } from '../time/clock.ts';
import { createPace } from './pace.ts';

/** The span that `'learn'` applies a limit to: the API counts requests per minute, over a sliding window. */
const LEARNED_SPAN = 60_000;

/** Counts the requests of this client alone. */
export const createLocalWindow = (rateLimit: 'learn' | RateLimit | false, clock: Clock): RateWindow => {
  const fixed = typeof rateLimit === 'object' ? rateLimit : undefined;
  const pace = createPace(rateLimit === 'learn' ? LEARNED_SPAN : fixed?.perMs);
  let allowed = fixed?.requests;
  return {
    startsAt: (now, { inFlight }) => (allowed === undefined ? now : pace.freeAt(allowed - inFlight, now)),
    take: () => (counts) => {
      if (counts) {
        pace.record(clock.now());
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
