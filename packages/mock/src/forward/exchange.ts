import type { RawQuery } from '../request/input.ts';
import type { Route } from '../request/route.ts';

/** A response of the service, read whole. */
export interface ServiceReply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** A response of the proxy's own, because it could not get one, or did not pass it on. */
export interface ProxyFailure {
  readonly kind: 'failure';
  readonly status: 502 | 504;
  readonly code: 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT' | 'REDIRECT_REFUSED' | 'RESPONSE_TOO_LARGE';
  readonly message: string;
}

/** A connection that the service broke: before its response, or in the middle of it. */
interface LostConnection {
  readonly kind: 'lost';
  readonly network: 'error' | 'truncate';
  /** The head of the response, if there was one. */
  readonly head?: { readonly status: number; readonly headers: Headers } | undefined;
}

/** What came of a request to the service. */
export type Outcome = ServiceReply | ProxyFailure | LostConnection;

/** A request, as the proxy passes it on. */
export interface ForwardedRequest {
  /** The operation; `undefined` when the contract has none with this method and path. */
  readonly route: Route | undefined;
  /** How many requests of this operation came before. */
  readonly index: number;
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query: RawQuery;
  readonly body: string;
}

/** A request to the service, and what came of it. */
export interface Exchange {
  readonly request: ForwardedRequest;
  readonly outcome: Outcome;
}
