import type { Mock } from './mock.ts';
import type { World } from './world/world.ts';

/** The world behind a mock, for the hosts of this package; users have no way to it. */
export const worldOf = new WeakMap<Mock, World>();
