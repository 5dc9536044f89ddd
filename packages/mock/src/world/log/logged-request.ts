import type { OperationId } from '@confab/client/contract';
import type { Fault } from '../faults/fault.ts';

/** One request that the mock got. */
export interface LoggedRequest {
  /** `undefined` when no operation has this method and path. */
  readonly operation: OperationId | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** Id of the key that it carried, if that was a valid one; the key itself is never kept. */
  readonly keyId: string | undefined;
  /** The path parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The query parameters, by name. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The query as it came, without its question mark; parameters that came several times are all in it. */
  readonly search: string;
  /**
   * The JSON of the body; the text if it was not JSON, or nested deeper than 100 levels; `undefined` without one, and for
   * one over 1 MiB.
   */
  readonly body: unknown;
  /** True when `body` is only the beginning of the text: of a refused request, the first 4,096 characters are kept. */
  readonly bodyTruncated: boolean;
  /** Status of the answer; `undefined` when a fault left it without one. */
  readonly status: number | undefined;
  /** What was injected. */
  readonly fault: Fault | undefined;
  /** When it came in, in milliseconds since 1970 on the clock of the mock. */
  readonly at: number;
}
