/** The job: the number of calls, of workers that make them, and of calls that the service allows in a window. */
export const CALLS = 1500;
export const WORKERS = 50;
export const CAP = 300;
/** Short, so that the run ends: the API's own window is a minute. */
export const WINDOW = 5000;

/** How a job of many calls ended. */
export interface Run {
  readonly name: string;
  /** Calls that threw. */
  readonly failed: number;
  /** Requests answered 429. */
  readonly refused: number;
  readonly ms: number;
  /** Its time divided by the least possible: a full window at once, then the next one as soon as it may. */
  readonly ratio: number;
}

/** Makes all calls, each worker one after another; what fails is not called again. Returns how many failed. */
export const work = async (
  call: () => Promise<unknown>,
  { calls, workers }: { readonly calls: number; readonly workers: number },
): Promise<number> => {
  let left = calls;
  let failed = 0;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call().catch(() => {
        failed += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return failed;
};
