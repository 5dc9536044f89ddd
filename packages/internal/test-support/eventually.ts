import { turns } from './turns.ts';

/** Less than the timeout of a test, because the assertion's own failure says more. */
const GIVE_UP_AFTER_MS = 4_500;

/**
 * Repeats an assertion at every turn of the event loop until it holds: the wait ends as soon as what it waits for has
 * happened, on a fast machine and on a busy one.
 *
 * @throws An {@link Error} when the assertion still fails after `withinMs` milliseconds: its last failure.
 */
export const eventually = async <T>(
  assertion: () => T | Promise<T>,
  { withinMs = GIVE_UP_AFTER_MS }: { withinMs?: number | undefined } = {},
): Promise<T> => {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > giveUpAt) {
        throw error;
      }
    }
    await turns();
  }
};
