import type { Mock } from './mock.ts';
import type { World } from './world/world.ts';

/** The world of each mock, for this package only. */
export const worldOf = new WeakMap<Mock, World>();
