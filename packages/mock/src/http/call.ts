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
  headers(): Headers;
  /** The body, or `undefined` when it is larger than the mock reads. */
  body(): string | undefined | Promise<string | undefined>;
}

/** How a body ends: in one piece, or after its first half, with the connection broken or silent. */
export type Ending = 'whole' | 'broken' | Silence;

/** The rest of a body that never comes. */
interface Silence {
  /**
   * Begins it, once the half before has been read; returns what ends it, for when nobody waits any more.
   *
   * @param broken Called when the connection breaks after all: the world that it led to was put back.
   */
  begin(broken: () => void): () => void;
}

/** What a host sends back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ending: Ending;
}

/** Whether answers of this status have no body; the platform refuses one with these. */
export const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** The method by which an operation is found: HEAD asks for the answer of GET, and leaves its body out. */
export const methodOf = ({ method }: Pick<Call, 'method'>): string => (method === 'HEAD' ? 'GET' : method);

/** What a host does instead of answering: break the connection. */
export const NETWORK_ERROR = Symbol('network error');
export type NetworkError = typeof NETWORK_ERROR;
