export { closestName } from './closest-name.ts';
export type { GrowingBuffer } from './growing-buffer.ts';
export { createGrowingBuffer } from './growing-buffer.ts';
export { isLoopback } from './is-loopback.ts';
export { namesOf, unknownNames } from './unknown-names.ts';
