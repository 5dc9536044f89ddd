import type { ServerResponse } from 'node:http';
import type * as z from 'zod/mini';
import type { Mock } from '../mock.ts';
import type { PathParams } from '../request/route.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import type { RouteId, RouteParams } from './routes.ts';
import { routeTo } from './routes.ts';
import type { Worlds } from './worlds.ts';

/** A snapshot that a caller has taken. */
interface TakenSnapshot {
  readonly snapshot: Snapshot;
  /** When it was taken: an RFC 3339 date-time on the mock's clock. */
  readonly takenAt: string;
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
  /** The worlds of the server; none within a world. */
  readonly worlds?: Worlds | undefined;
}

/** Sends a response that goes on until the caller goes away. */
export type Stream = (outgoing: ServerResponse) => void;

type Schema = z.ZodMiniObject | undefined;

type OutputOf<Given> = Given extends z.core.$ZodType ? z.output<Given> : undefined;

/** The checked parts of a request. */
interface ControlInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: OutputOf<Query>;
  readonly body: OutputOf<Body>;
  /** The base URL under which the caller reached the mock: `http://127.0.0.1:4010`. */
  readonly baseUrl: string;
}

interface Definition<Params, Query, Body> {
  /** What it does, in a sentence. */
  readonly summary: string;
  /** What a caller needs to know in addition. */
  readonly description?: string;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * The data of its success, which is sent in an envelope.
   * @default an empty object
   */
  readonly data?: z.ZodMiniType;
  /** The media type of a success without an envelope: a document, or a {@link Stream}. */
  readonly content?: 'application/json' | 'text/event-stream';
  /** The metadata of its success. If it has some, `run` returns `{ data, meta }`, and otherwise the data alone. */
  readonly meta?: z.ZodMiniType;
  /**
   * The status of its success.
   * @default 200
   */
  readonly status?: 200 | 201;
  /** The statuses with which only this operation is refused, each with its reason. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Whether it needs no admin token, because it reveals nothing. */
  readonly open?: boolean;
  /** Returns what it responds with: data, a document or a {@link Stream}. */
  run(context: ControlContext, input: ControlInput<Params, Query, Body>): unknown;
}

/** One way to control or inspect a mock from outside. Routes, checks and the OpenAPI document derive from it. */
export interface ControlOperation extends Definition<PathParams, Schema, Schema> {
  /** Its name, and `operationId` in the OpenAPI document: `leads.create`. */
  readonly id: string;
  readonly method: string;
  /** Its path below `/__mock/`: `rows/leads/{id}`. */
  readonly path: string;
}

/** Defines the operation of a route. */
export const controlOperation = <
  Id extends RouteId,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(
  id: Id,
  definition: Definition<RouteParams<Id>, Query, Body>,
): ControlOperation => ({ ...definition, ...routeTo(id), id });
