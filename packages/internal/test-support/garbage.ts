import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage, with what its finalizers release. */
export const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // Finalizers run after the first collection, and the second one collects what they release.
  for (let pass = 0; pass < 2; pass += 1) {
    // A weak reference keeps its target until the end of the job that looked at it.
    await new Promise(setImmediate);
    collect();
  }
};

/** Returns the bytes in use after a collection. */
export const bytesInUse = async (): Promise<number> => {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
