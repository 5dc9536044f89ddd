import type { Call } from '../http/call.ts';
import type { RawQuery } from '../http/query.ts';
import type { Route } from './route.ts';

/** Everything about a request that is known before it is decided on. */
export interface Received {
  readonly call: Call;
  /** `undefined` when no operation has this method and path. */
  readonly found: Route | undefined;
  readonly query: RawQuery;
  /** `undefined` when it is larger than the mock reads, or not read yet. */
  readonly body: string | undefined;
}
