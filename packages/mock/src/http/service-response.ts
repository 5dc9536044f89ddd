/** A response of the service, which each host turns into its own kind. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly ending: Ending;
}

/** How a body ends: complete, or after its first half, with the connection broken or silent. */
export type Ending = 'complete' | 'broken' | Silence;

/** The second half of a body, when it never comes. */
interface Silence {
  /**
   * Begins the silence, once the first half has been read. Call the function that it returns when the reader is gone.
   *
   * @param broken Called if the connection breaks after all, because the mock was restored, reset or closed.
   */
  begin(broken: () => void): () => void;
}

/** Returned in place of a response when a host must break the connection. */
export const NETWORK_ERROR = Symbol('network error');
export type NetworkError = typeof NETWORK_ERROR;

/** Whether responses with this status have no body; the platform refuses one with these. */
export const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304;
