/** The settings of an operation that are not schemas. */
export interface OperationSettings {
  /** `resource.method`, as in the client: `leads.create`. */
  readonly id: string;
  /** The HTTP method. */
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path below the base URL, with `{name}` for each path parameter. */
  readonly path: `/api/v2/public/${string}`;
  /** The status of a success. */
  readonly status: 200 | 201;
  /** The error statuses that the API lists for this operation. Every operation may also respond with 401 and 429. */
  readonly errors: readonly number[];
  /** The scope that a key needs. The API does not publish it: this is our choice, and the mock lets users override it. */
  readonly scope: `${'read' | 'write'}:${string}`;
  /** Whether a repeat is harmless, so that the client may send the request again after an unknown outcome. */
  readonly idempotent: boolean;
  /** The default time limit of one attempt, in milliseconds. */
  readonly timeout: number;
  /** The default time limit of the whole call, in milliseconds, including the queue, waits and retries. */
  readonly deadline: number;
}
