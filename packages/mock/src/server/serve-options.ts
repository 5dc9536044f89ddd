/// <reference lib="esnext.disposable" preserve="true" />

import type { TlsOptions } from '../http/http-server.ts';
import type { ServerLimits } from '../http/server-limits.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';

/** The options of {@link serve}. */
export interface ServeOptions {
  /**
   * The port to listen on; 0 picks a free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * The host name or address to listen on. On any address but loopback, requests must come over TLS: set `tls`, or set
   * `allowHttp` behind a proxy that ends TLS. A random key then replaces the value of `mock.apiKey`, which anyone could
   * derive from the seed, so read it after `serve()`.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Serves over HTTPS with this certificate and its private key.
   * @default none: plain HTTP
   */
  readonly tls?: TlsOptions | undefined;
  /**
   * Also accepts plain HTTP under host names other than `localhost`, which the service refuses. Set it in a network of
   * containers, where the base URL is `http://mock:4010`, or behind a proxy or a tunnel that ends TLS.
   * @default false
   */
  readonly allowHttp?: boolean | undefined;
  /**
   * Lets web pages call the API: `true` for pages of every origin, or a list of origins, such as
   * `['http://localhost:5173']`. The control endpoints stay closed to pages that do not send the admin token.
   * @default false
   */
  readonly cors?: boolean | readonly string[] | undefined;
  /**
   * The token that requests to the control endpoints `/__mock/*` must send in `x-admin-token`. Without a token, programs
   * can call them on loopback, and nobody can call them on any other address. Web pages of other origins, including other
   * ports of this machine, can call them only if `cors` allows the origin and the request has the token.
   * @default none
   */
  readonly adminToken?: string | undefined;
  /**
   * Milliseconds of real time after which an unused world of `POST /__mock/worlds` is deleted; with `Infinity`, worlds
   * are never deleted. A world is in use while a request to it is in flight, such as an open event stream.
   * @default 600_000 (10 minutes)
   */
  readonly worldTtl?: number | undefined;
  /**
   * Called with each request to the API or to that of a world, after its response. An exception does not reach the caller:
   * it becomes an uncaught exception of the process, as with a listener of an `EventTarget`.
   */
  readonly onRequest?: ((request: LoggedRequest) => void) | undefined;
}

/** A running server of {@link serve}. */
export interface MockServer {
  /** The base URL for clients: `http://127.0.0.1:4010`, or `https://…` with `tls`. */
  readonly url: string;
  /**
   * Stops listening, and closes all connections. Abandons unfinished deliveries, unless another server serves the mock
   * too. The mock itself stays open. Closing the server again has no effect.
   */
  close(): Promise<void>;
  /** Calls {@link MockServer.close}, for `await using server = await serve(mock)`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * A request that is not for the API: a call of a control endpoint, a request for the OpenAPI document or the base URL
 * itself, a CORS preflight, or a request to an unknown world.
 */
export interface NonApiRequest {
  /** When it ended, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** The kind of request. A request is `'refused'` if it was rejected before it reached a world. */
  readonly kind: 'control' | 'description' | 'preflight' | 'refused';
  /** The HTTP method. */
  readonly method: string;
  /** The path and the query, without the admin token in them. */
  readonly target: string;
  /** The status of its response. */
  readonly status: number;
}

/** The options of the command and of tests, in addition to those of {@link serve}. */
export interface ListenOptions extends ServeOptions {
  /** Called with each request to the mock's own endpoints, after its response. */
  readonly onNonApiRequest?: ((request: NonApiRequest) => void) | undefined;
  /** Called with a delivery of the mock or of a world after each attempt. */
  readonly onAttempt?: ((delivery: Delivery) => void) | undefined;
  /**
   * The state that a reset restores.
   * @default that of the mock now
   */
  readonly start?: Snapshot | undefined;
  /**
   * The key that `connectMock()` gets.
   * @default the mock's own
   */
  readonly apiKey?: string | undefined;
  /**
   * The folder with the files of the inspector.
   * @default that of this package
   */
  readonly inspectorFolder?: string | undefined;
  /** Limits that differ from the default. */
  readonly limits?: Partial<ServerLimits> | undefined;
}
