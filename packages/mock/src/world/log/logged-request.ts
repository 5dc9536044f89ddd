import type { OperationId } from '@confab/client/contract';
import type { Fault } from '../faults/fault.ts';

/**
 * A request in the log of a mock, with the status of its response. The log keeps no headers. Where the caller has put the
 * admin token of a server into the path, the query or the body, the log has `[redacted]`.
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
  /** The query parameters, with whole numbers where the contract has them. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The raw query without its question mark, including repeated parameters. */
  readonly search: string;
  /**
   * The parsed body. It is the text if that was not JSON or was nested deeper than 100 levels, and `undefined` if there was
   * no body or it was larger than 1 MiB.
   */
  readonly body: unknown;
  /** Whether `body` is only the beginning of the text. The log keeps the first 4,096 characters of a refused request. */
  readonly bodyTruncated: boolean;
  /** The status of the response; `undefined` if there was none, as after `{ network: 'error' }`. */
  readonly status: number | undefined;
  /** Why the response was an error, as its body says; `undefined` if it was not. */
  readonly error:
    | {
        /** The code of the error, such as `SCOPE_REQUIRED`. */
        readonly code: string;
        /** The message of the error. */
        readonly message: string;
      }
    | undefined;
  /**
   * The text of the response body; of a longer one, the first 4,096 characters. `undefined` if there was no response.
   */
  readonly responseBody: string | undefined;
  /** Whether `responseBody` is only the beginning of the text. */
  readonly responseTruncated: boolean;
  /** The planned fault that the request got; `undefined` if it got none. */
  readonly fault: Fault | undefined;
  /** When the request arrived, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** How long it took, in milliseconds on the mock's clock. */
  readonly durationMs: number;
}
