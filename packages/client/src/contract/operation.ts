import type * as z from 'zod/mini';
import type { OperationSettings } from './types/operation-settings.ts';

/** One operation of the API, as data: client methods, mock routes and the OpenAPI document derive from it. */
export interface Operation extends OperationSettings {
  /** The schema of the path parameters. */
  readonly params?: z.ZodMiniObject;
  /** The schema of the query. */
  readonly query?: z.ZodMiniObject;
  /** The schema of the request body. */
  readonly body?: z.ZodMiniObject;
  /** The schema of the body of a success, including the envelope. */
  readonly response: z.ZodMiniObject<{
    /** Always `true`. */
    success: z.ZodMiniType<true>;
    /** The schema of the value, or of the list of rows. */
    data: z.ZodMiniType;
  }>;
}
