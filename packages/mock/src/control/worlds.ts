import type { MockOptions } from '../world/options.ts';

/** The options of a world: those of `createMock` that can be sent as JSON. */
export type WorldOptions = Omit<MockOptions, 'baseUrl' | 'agents'>;

/** A new world. */
export interface CreatedWorld {
  /** Its id. */
  readonly id: string;
  /** The path of its base URL: `/w/<id>`. */
  readonly path: string;
  /** Its base URL. */
  readonly baseUrl: string;
  /** A key with every scope, which is valid in no other world. */
  readonly apiKey: string;
  /** Milliseconds of real time after which it is deleted, if unused. */
  readonly ttlMs: number;
}

/** A world in the list of a server. */
export interface ListedWorld {
  /** Its id. */
  readonly id: string;
  /** The path of its base URL. */
  readonly path: string;
  /** Milliseconds of real time since it was last used. */
  readonly unusedMs: number;
  /** How many requests to it are under way. */
  readonly busy: number;
}

/** The worlds of one server: isolated mocks that share its port. */
export interface Worlds {
  /**
   * Creates a world.
   *
   * @param origin Where callers reach the server: `http://127.0.0.1:4010`.
   * @throws {@link MockError} When an option is invalid, or there are too many worlds.
   * @throws {@link Refusal} 507, when the worlds would take too much memory.
   */
  create(options: WorldOptions, origin: string): CreatedWorld;
  /** Lists the worlds, oldest first. */
  list(): readonly ListedWorld[];
  /** Deletes a world with everything that is under way in it, and returns whether it existed. */
  delete(id: string): Promise<boolean>;
}
