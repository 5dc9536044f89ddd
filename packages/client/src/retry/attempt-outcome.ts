import type { RateLimitInfo } from '../errors/index.ts';
import type { MiddlewareOutcome } from '../errors/middleware-failure.ts';
import type { ConnectFailure } from './connect-failure.ts';

/** The response to one attempt. */
export interface AttemptResponse {
  readonly kind: 'response';
  readonly status: number;
  /** True for a redirect, whether it was followed or not. */
  readonly redirected: boolean;
  /** Names in lower case, without cookies and without the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the body of an error or redirect was cut off. */
  readonly text: string | undefined;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
  readonly rateLimit: RateLimitInfo;
}

/** What came of one attempt. It contains nothing that leads to the API key. */
export type AttemptOutcome =
  | AttemptResponse
  | { readonly kind: 'timeout' }
  | ({
      // A hook of the user's failed. A repeat would fail in the same way.
      /** A redacted copy of its error. */
      readonly cause: Error | undefined;
    } & MiddlewareOutcome)
  | {
      /** A successful response whose body is larger than allowed. */
      readonly kind: 'oversized';
      readonly status: number;
    }
  | {
      readonly kind: 'connection';
      /** A redacted copy of the error that `fetch` rejected with. */
      readonly cause: Error | undefined;
      /** The status, when the connection broke after the headers. */
      readonly status: number | undefined;
      /** True when a repeat would fail in the same way. */
      readonly final: boolean;
      /** Why nothing was sent, if that is certain. */
      readonly unsent: ConnectFailure | undefined;
    };
