import { orNotFound } from '../errors/refusal.ts';
import type { Mock } from '../mock.ts';
import type { MockOptions } from '../world/options.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import type { ControlOperations, PartOf } from './endpoint-types.ts';
import type { CreatedWorld, ListedWorld, RemoteSnapshot } from './remote-types.ts';
import type { RouteId, RouteParams } from './routes.ts';

/** The worlds of one server: isolated mocks that share its port. */
export interface Worlds {
  /**
   * Creates a world.
   *
   * @param origin Where callers reach the server: `http://127.0.0.1:4010`.
   * @throws A {@link MockError} when an option is invalid, or there are too many worlds.
   */
  create(options: MockOptions, origin: string): CreatedWorld;
  /** Lists the worlds, oldest first. */
  list(): readonly ListedWorld[];
  /** Deletes a world with everything that is in progress in it, and returns whether it existed. */
  delete(id: string): Promise<boolean>;
}

/** A snapshot that a caller has taken. */
interface TakenSnapshot extends RemoteSnapshot {
  readonly snapshot: Snapshot;
}

/** A mock under remote control. */
export interface ControlContext {
  readonly mock: Mock;
  readonly world: World;
  /** A key that is valid unless it was revoked. */
  readonly apiKey: string;
  /** The state that a reset restores: that of the mock when it was served. */
  readonly start: Snapshot;
  /** The snapshots that callers have taken, by id. */
  readonly snapshots: Map<string, TakenSnapshot>;
  /** The worlds of the server; `undefined` within a world. */
  readonly worlds?: Worlds | undefined;
}

/** The input of an operation. The mock checks the values in the query and in the body, which may break these types. */
interface ControlInput<Id extends RouteId> {
  readonly params: RouteParams<Id>;
  readonly query: PartOf<Id, 'query'>;
  readonly body: PartOf<Id, 'body'>;
  /** The base URL under which the caller reached the mock: `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
}

type Result<Operation> = Omit<Operation, 'query' | 'body'>;

/** The result of an operation: everything in its row of the table but the query and the body. */
type ControlResult<Operation> = keyof Operation extends 'query' | 'body'
  ? Promise<void>
  : Result<Operation> | Promise<Result<Operation>>;

/** Carries out one operation. */
type Handler<Id extends RouteId> = (
  context: ControlContext,
  input: ControlInput<Id>,
) => ControlResult<ControlOperations[Id]>;

/** The handlers of some operations. */
export type Handlers<Ids extends RouteId = RouteId> = { readonly [Id in Ids]: Handler<Id> };

/**
 * Builds the result of a deletion.
 *
 * @throws A {@link Refusal} 404, when there was nothing to delete.
 */
export const toDeleted = (existed: boolean, message: string) => ({
  data: { deleted: orNotFound<true>(existed, message) },
});
