/// <reference lib="esnext.disposable" preserve="true" />
import type { LoggedRequest } from '../world/log/logged-request.ts';

/** Where a mock listens. */
export interface ServeOptions {
  /**
   * A free one is picked for 0.
   * @default 0
   */
  readonly port?: number;
  /**
   * Name or address to listen at. Beyond loopback, callers must come through TLS: the mock refuses plain HTTP
   * unless a proxy says `x-forwarded-proto: https`. The key of a mock follows from its seed, so others know it: revoke
   * `mock.apiKey` there, and create another.
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /**
   * What the control endpoints `/__mock/*` ask for in `x-admin-token`. Without one they are closed beyond loopback,
   * and on loopback open to programs, but not to web pages of other hosts.
   */
  readonly adminToken?: string;
  /**
   * Told of each request to the API after it was answered. What it throws does not reach the caller: it becomes an
   * uncaught error of the process, as with the listener of an `EventTarget`.
   */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A mock that listens. */
export interface MockServer {
  /** `http://127.0.0.1:4010`, to be used as a client's base URL. */
  readonly url: string;
  /**
   * Stops listening, and ends the connections that are open. Deliveries that are not over are given up, unless the mock
   * is served by another server, too; the mock itself goes on. Calling it again changes nothing.
   */
  close(): Promise<void>;
  /** Does what {@link MockServer.close} does: `await using server = await serve(mock)`. */
  [Symbol.asyncDispose](): Promise<void>;
}
