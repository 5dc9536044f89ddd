import type { OperationId } from '@confab/client/contract';
import type { Fault } from '../faults/fault.ts';

/**
 * A request in the log of a mock, with the status of its response. The log keeps no headers. It replaces the admin token of
 * a server with `[redacted]` in paths, queries and bodies.
 */
export interface LoggedRequest {
  /** The operation; `undefined` when no operation has this method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL: `/api/v2/public/leads`. */
  readonly path: string;
  /** The id of the API key, if it was valid. */
  readonly keyId: string | undefined;
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters. Those that are integers in the contract are numbers. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The raw query without its question mark, including repeated parameters. */
  readonly search: string;
  /**
   * The parsed body. A body that is not JSON, or is nested deeper than 100 levels, is a string. Without a body, or if it is
   * larger than 1 MiB, this is `undefined`.
   */
  readonly body: unknown;
  /** Whether `body` was cut. For a refused request, the log keeps the first 4,096 characters. */
  readonly bodyTruncated: boolean;
  /** The status of the response; `undefined` if there was none, as after `{ network: 'error' }`. */
  readonly status: number | undefined;
  /** The error in the body of the response; `undefined` if there is none. */
  readonly error:
    | {
        /** The code of the error, such as `SCOPE_REQUIRED`. */
        readonly code: string;
        /** The message of the error. */
        readonly message: string;
      }
    | undefined;
  /**
   * The first 4,096 characters of the response body; `undefined` if there was no response.
   */
  readonly responseBody: string | undefined;
  /** Whether `responseBody` was cut. */
  readonly responseTruncated: boolean;
  /** The planned fault that was applied to the request, if any. */
  readonly fault: Fault | undefined;
  /** When the request arrived, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** How long the request took, in milliseconds on the mock's clock. */
  readonly durationMs: number;
}
