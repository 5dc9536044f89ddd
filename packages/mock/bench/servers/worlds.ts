import { createMock } from '../../dist/index.js';
import { serve } from '../../dist/server/index.js';

const { url } = await serve(createMock());
console.log(url);

/** Collects garbage, and returns the bytes that are in use on the heap and in buffers outside it. */
const bytesInUse = (): number => {
  if (globalThis.gc === undefined) {
    throw new Error('Start this with --expose-gc');
  }
  // Twice, because finalizers may release more memory after the first collection.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

// Each message is a request for the memory in use.
process.on('message', () => process.send?.(bytesInUse()));
