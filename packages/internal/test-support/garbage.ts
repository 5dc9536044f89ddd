import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Frees what nothing refers to. */
export const collectGarbage = async (): Promise<void> => {
  // A weak reference keeps its target until the end of the job that looked at it.
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

/** Bytes in use once garbage is gone. */
export const bytesInUse = async (): Promise<number> => {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
