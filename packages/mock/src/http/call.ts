/** A request, in the same form from every host. */
export interface Call {
  readonly method: string;
  /** The path below the base URL, still encoded: `/api/v2/public/leads`. */
  readonly path: string;
  /** The query without its question mark. */
  readonly search: string;
  /** Whether the request came over TLS or from this machine. */
  readonly secure: boolean;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal | undefined;
  /** The value of one header, or null. */
  header(name: string): string | null;
  /** All headers. */
  headers(): Headers;
  /** Reads the body; `undefined` if it is larger than the mock reads. */
  body(): string | undefined | Promise<string | undefined>;
}

/** The method that selects the operation: HEAD is GET whose response omits the body. */
export const methodOf = ({ method }: Pick<Call, 'method'>): string => (method === 'HEAD' ? 'GET' : method);
