import type { OperationId } from '@confab/client/contract';
import type { Fault } from '../faults/fault.ts';

/** One request, as the log keeps it. */
export interface LoggedRequest {
  /** The operation; `undefined` when no operation has this method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path below the base URL: `/api/v2/public/leads`. */
  readonly path: string;
  /** The id of its key, if that was valid; the key itself is never kept. */
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
  /** Whether `body` is only the beginning of the text: of a refused request, the first 4,096 characters are kept. */
  readonly bodyTruncated: boolean;
  /** Status of the response; `undefined` if there was none. */
  readonly status: number | undefined;
  /** The fault that it got. */
  readonly fault: Fault | undefined;
  /** When it arrived, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
}
