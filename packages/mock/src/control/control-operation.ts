import type * as z from 'zod/mini';
import type { Mock } from '../mock.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import type { RouteId, RouteParams } from './routes.ts';
import { routeTo } from './routes.ts';
import type { Snapshots } from './snapshots.ts';
import type { Worlds } from './worlds.ts';

/** A mock under remote control. */
export interface ControlContext {
  readonly mock: Mock;
  readonly world: World;
  /** A key that is valid unless it was revoked. */
  readonly apiKey: string;
  /** The state that a reset restores: that of the mock when it was served. */
  readonly start: Snapshot;
  /** The snapshots that callers have taken. */
  readonly snapshots: Snapshots;
  /** The worlds of the server; none within a world. */
  readonly worlds?: Worlds | undefined;
}

/** The envelope of a response, without `success`. */
export interface ControlResult {
  readonly data: unknown;
  readonly meta?: unknown;
}

/** The checked parts of a request. */
interface ControlInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The base URL under which the caller reached the mock: `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
}

/** One way to control or inspect a mock from outside. Routes, checks and the OpenAPI document derive from it. */
export interface ControlOperation {
  /** Its name, and `operationId` in the OpenAPI document: `leads.create`. */
  readonly id: string;
  readonly method: string;
  /** Its path below `/__mock/`: `rows/leads/{id}`. */
  readonly path: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  readonly query?: z.ZodMiniObject | undefined;
  readonly body?: z.ZodMiniObject | undefined;
  /** The data of its success. */
  readonly data: z.ZodMiniType;
  /** The metadata of its success. */
  readonly meta?: z.ZodMiniType | undefined;
  /** The status of its success. */
  readonly status: 200 | 201;
  /** The statuses with which only this operation is refused, each with its reason. */
  readonly refusals?: Readonly<Record<number, string>> | undefined;
  run(
    context: ControlContext,
    input: ControlInput<Readonly<Record<string, string>>, unknown, unknown>,
  ): ControlResult | Promise<ControlResult>;
}

type OutputOf<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : undefined;

interface Definition<Id extends RouteId, Query, Body> {
  readonly summary: string;
  readonly query?: Query;
  readonly body?: Body;
  readonly data: z.ZodMiniType;
  readonly meta?: z.ZodMiniType;
  /** @default 200 */
  readonly status?: 200 | 201;
  readonly refusals?: Readonly<Record<number, string>>;
  run(
    context: ControlContext,
    input: ControlInput<RouteParams<Id>, OutputOf<Query>, OutputOf<Body>>,
  ): ControlResult | Promise<ControlResult>;
}

/** Defines the operation of a route. */
export const controlOperation = <
  Id extends RouteId,
  Query extends z.ZodMiniObject | undefined = undefined,
  Body extends z.ZodMiniObject | undefined = undefined,
>(
  id: Id,
  definition: Definition<Id, Query, Body>,
  { name = id, params }: { name?: string; params?: Readonly<Record<string, string>> } = {},
): ControlOperation => ({
  ...definition,
  ...routeTo(id, params),
  id: name,
  status: definition.status ?? 200,
  // The checks of the route, the query and the body guarantee this type, which the table can't express.
  run: definition.run as ControlOperation['run'],
});
