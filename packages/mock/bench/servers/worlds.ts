import { createMock } from '../../dist/index.js';
import { serve } from '../../dist/server/index.js';

const { url } = await serve(createMock());
console.log(url);

/** The bytes that are in use: of the heap, and of buffers outside it. Garbage is collected first. */
const bytesInUse = (): number => {
  if (globalThis.gc === undefined) {
    throw new Error('Start this with --expose-gc');
  }
  // Twice, because finalizers may let go of more after the first.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

// Each message asks for the memory.
process.on('message', () => process.send?.(bytesInUse()));
