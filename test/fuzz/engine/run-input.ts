import { endInput, startInput, tooMuchWork } from './coverage.ts';
import type { Target } from './target.ts';

/** Milliseconds after which an input may have hung a regular expression, whose work has no counters. */
const SLOW_MS = 400;

/** Milliseconds after which a promise counts as one that never settles. */
const NEVER_MS = 5_000;

/** Runs one input. Returns the error if a property does not hold. */
export const runInput = async (
  target: Target,
  input: Uint8Array,
  visit?: (feature: number) => void,
): Promise<Error | undefined> => {
  try {
    if ((await measure(target, input)) <= SLOW_MS) {
      return undefined;
    }
    // A busy machine is slow once, a hanging expression always.
    for (let time = 0; time < 3; time += 1) {
      if ((await measure(target, input)) <= SLOW_MS) {
        return undefined;
      }
    }
    return new Error(`takes more than ${SLOW_MS} ms, every time`);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    endInput(visit ?? (() => {}));
  }
};

/** Runs one input once, and returns its milliseconds. Throws if it takes too many branches, even if its code catches that. */
const measure = async (target: Target, input: Uint8Array): Promise<number> => {
  const startedAt = performance.now();
  startInput(target.work(input.length));
  try {
    const running = target.run(input);
    if (running !== undefined) {
      await settled(running);
    }
  } catch (error) {
    throw tooMuchWork() ?? error;
  }
  const error = tooMuchWork();
  if (error !== undefined) {
    throw error;
  }
  return performance.now() - startedAt;
};

/** Waits for a promise. The timer also keeps the process alive, which otherwise ends and loses the input. */
const settled = async (running: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_, reject) => {
    const error = new Error(`does not settle within ${NEVER_MS / 1_000} s`);
    timer = setTimeout(reject, NEVER_MS, error);
  });
  try {
    await Promise.race([running, never]);
  } finally {
    clearTimeout(timer);
  }
};
