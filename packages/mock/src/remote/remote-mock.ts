import type { RemoteParts } from './remote-parts.ts';
import type { RemoteWorlds } from './remote-worlds.ts';

/** A served mock under the control of a test in another process: the asynchronous twin of `Mock`. */
export interface RemoteMock extends RemoteParts {
  /** The isolated worlds below the server. */
  readonly worlds: RemoteWorlds;
}
