import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nothing refers to. */
export const collectGarbage = async (): Promise<void> => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // Finalizers run after the first collection, and what they let go is collected by the second.
  for (let pass = 0; pass < 2; pass += 1) {
    // A weak reference keeps its target until the end of the job that looked at it.
    await new Promise(setImmediate);
    collect();
  }
};

/** Bytes in use once garbage is gone. */
export const bytesInUse = async (): Promise<number> => {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
