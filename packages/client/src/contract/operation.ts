import type * as z from 'zod/mini';

/** One operation of the API, as data: client methods, mock routes and the OpenAPI document derive from it. */
export interface Operation {
  /** `resource.method`, as in the client: `leads.create`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the base URL, with `{name}` for each path parameter. */
  readonly path: `/api/v2/public/${string}`;
  /** Path parameters. */
  readonly params?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniObject;
  /** Status of a success. */
  readonly status: 200 | 201;
  /** Body of a success, envelope included. */
  readonly response: z.ZodMiniObject<{ success: z.ZodMiniType<true>; data: z.ZodMiniType }>;
  /** Error statuses that the API lists for this operation; 401 and 429 can meet any. */
  readonly errors: readonly number[];
  /** Scope that a key needs. The API does not show it: this is our choice, which the mock lets users override. */
  readonly scope: `${'read' | 'write'}:${string}`;
  /** True when a repeat does no harm, so that the client may send it again after an unknown outcome. */
  readonly idempotent: boolean;
  /** Default milliseconds for one attempt. */
  readonly timeout: number;
  /** Default milliseconds for the whole call: queueing, waits and retries included. */
  readonly deadline: number;
}
