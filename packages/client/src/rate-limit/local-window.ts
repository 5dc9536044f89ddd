import { createSlidingWindow } from '@confab/internal';
import type { RateLimit } from '../options/client-options.ts';
import type { RateWindow } from '../options/rate-window.ts';
import type { Clock } from '../time/clock.ts';
import { createLearnedWindow, MINUTE } from './learned-window.ts';

/**
 * Counts the requests of this client alone. A request counts from its start until `perMs` milliseconds after its end.
 * The service counts it at some moment in between, so no window of the service contains more requests than our own.
 *
 * @param onLearn Called when `'learn'` starts to apply a limit or a window, before the request that has to wait for it.
 */
export const createLocalWindow = (
  rateLimit: 'learn' | RateLimit | false,
  clock: Clock,
  onLearn?: ((limit: RateLimit) => void) | undefined,
): RateWindow => {
  // Stryker disable next-line ConditionalExpression: A text and false have neither of the two fields.
  const fixed = typeof rateLimit === 'object' ? rateLimit : undefined;
  const learned = rateLimit === 'learn' ? createLearnedWindow() : undefined;
  const ends = createSlidingWindow(fixed?.perMs ?? MINUTE);
  let allowed = fixed?.requests;
  let applied: RateLimit | undefined = fixed;

  /** Returns the limit that applies now; undefined for none. */
  const current = (): RateLimit | undefined => {
    if (learned && allowed !== undefined) {
      const perMs = learned.perMs(allowed);
      if (applied?.requests !== allowed || applied.perMs !== perMs) {
        applied = { requests: allowed, perMs };
        onLearn?.(applied);
      }
    }
    return applied;
  };

  return {
    get windowMs() {
      return current()?.perMs;
    },
    startsAt(now, { inFlight }) {
      const limit = current();
      if (limit === undefined) {
        return now;
      }
      const excess = ends.count(now) - (limit.requests - inFlight);
      if (excess < 0) {
        return now;
      }
      const last = ends.at(excess);
      return last === undefined ? undefined : Math.max(now, last + limit.perMs);
    },
    take() {
      const start = clock.now();
      return (counts, evidence) => {
        const now = clock.now();
        // Stryker disable next-line ConditionalExpression,BooleanLiteral: Without a limit, counting only takes memory.
        if (counts && rateLimit !== false) {
          // Also drops old ones: nothing else does while no limit is known.
          // Stryker disable next-line CallExpression: It only frees memory.
          ends.count(now);
          ends.add(now);
        }
        if (evidence) {
          learned?.add({ start, end: now }, evidence);
        }
      };
    },
    learn(limit) {
      if (learned) {
        allowed = limit;
      }
    },
    pause: () => {},
  };
};
