import { endInput, startInput } from './coverage.ts';
import type { Target } from './target.ts';

/** Milliseconds after which an input may have hung a regular expression, whose work has no counters. */
const SLOW_MS = 400;

/** Runs one input. Returns the error if a property does not hold. */
export const runInput = async (
  target: Target,
  input: Uint8Array,
  visit?: (feature: number) => void,
): Promise<Error | undefined> => {
  const startedAt = performance.now();
  startInput(target.work(input.length));
  try {
    const running = target.run(input);
    if (running !== undefined) {
      await running;
    }
    return performance.now() - startedAt > SLOW_MS ? await repeat(target, input) : undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    endInput(visit ?? (() => {}));
  }
};

/** Runs a slow input again: a busy machine is slow once, a hanging expression always. */
const repeat = async (target: Target, input: Uint8Array): Promise<Error | undefined> => {
  for (let time = 0; time < 3; time += 1) {
    const startedAt = performance.now();
    startInput(target.work(input.length));
    await target.run(input);
    if (performance.now() - startedAt < SLOW_MS) {
      return undefined;
    }
  }
  return new Error(`takes more than ${SLOW_MS} ms, every time`);
};
