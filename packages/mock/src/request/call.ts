/** A request as every host hands it over. */
export interface Call {
  readonly method: string;
  /** Below the base URL, still encoded: `/api/v2/public/leads`. */
  readonly path: string;
  /** The query without its question mark. */
  readonly search: string;
  /** True over TLS, and within one machine. */
  readonly secure: boolean;
  readonly signal: AbortSignal | undefined;
  header(name: string): string | null;
  /** The body, or `undefined` when it is larger than the mock reads. */
  body(): string | undefined | Promise<string | undefined>;
}

/** What a host sends back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True when the connection breaks in the middle of the body. */
  readonly truncated: boolean;
}

/** What a host does instead of answering: break the connection. */
export const NETWORK_ERROR = Symbol('network error');
export type NetworkError = typeof NETWORK_ERROR;
