export { closestName } from './closest-name.ts';
export type { GrowingBuffer } from './growing-buffer.ts';
export { createGrowingBuffer } from './growing-buffer.ts';
export { isLoopback } from './is-loopback.ts';
export { pathName, valueAt } from './issue-path.ts';
export { onAbort } from './on-abort.ts';
export { rejectOnAbort } from './reject-on-abort.ts';
export { typeName } from './type-name.ts';
export { namesOf, unknownNames } from './unknown-names.ts';
