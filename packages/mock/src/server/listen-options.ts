import type { Snapshot } from '../world/snapshot.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { CapacityLimits } from './capacity.ts';
import type { ServerLimits } from './http-server.ts';
import type { ServeOptions } from './serve-options.ts';

/**
 * A request that is not for the API: a call of a control endpoint, a request for the OpenAPI document, a CORS preflight,
 * or a request to an unknown world.
 */
export interface OwnRequest {
  /** When it ended, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** The kind of request. A `refused` one was rejected before it reached a world. */
  readonly kind: 'control' | 'description' | 'preflight' | 'refused';
  /** The HTTP method. */
  readonly method: string;
  /** The path and the query, without the keys in them. */
  readonly target: string;
  /** The status of its response. */
  readonly status: number;
}

/** The options of the command and of tests, in addition to those of {@link serve}. */
export interface ListenOptions extends ServeOptions {
  /** Called with each request to the mock's own endpoints, after its response. */
  readonly onOwnRequest?: ((request: OwnRequest) => void) | undefined;
  /** Called with a delivery after each attempt, those of worlds included. */
  readonly onAttempt?: ((delivery: Delivery) => void) | undefined;
  /**
   * The state that a reset restores.
   * @default that of the mock now
   */
  readonly start?: Snapshot | undefined;
  /**
   * The key that remote clients are given.
   * @default the mock's own
   */
  readonly apiKey?: string | undefined;
  /**
   * The folder with the files of the inspector.
   * @default that of this package
   */
  readonly inspectorFolder?: string | undefined;
  /** Limits that differ from the default. */
  readonly limits?: Partial<ServerLimits & CapacityLimits & { readonly worlds: number }> | undefined;
}
