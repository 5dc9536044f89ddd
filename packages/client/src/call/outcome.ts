import type { RateLimitInfo } from '../errors/index.ts';
import type { MiddlewareOutcome } from '../errors/middleware-failure.ts';
import type { AcquireRefusal } from '../rate-limit/queue.ts';
import type { Redact } from '../secrecy/redact.ts';

/** A response, as plain data. Its headers are redacted; `text` and `body` may contain the API key. */
export interface ReceivedOutcome {
  readonly kind: 'response';
  /** Whether the service may have acted on the request. */
  readonly mayHaveActed: boolean;
  readonly status: number;
  /** Whether it is a redirect, followed or not. */
  readonly redirected: boolean;
  /** Names in lower case, without cookies and without the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the body of an error or redirect was cut off. */
  readonly text: string | undefined;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
  /** Whether it is JSON of the API: a proxy may respond instead, and report a limit of its own. */
  readonly isFromApi: boolean;
  readonly rateLimit: RateLimitInfo;
  /** Redacts the API key that the request was sent with, and the latest other keys: see `AttemptKey` in `secrecy/key.ts`. */
  readonly redact: Redact;
}

/** Why no connection was made. Nothing was sent then. */
export interface ConnectFailure {
  readonly explain: (origin: string) => string;
  /** Whether a retry would fail in the same way. */
  readonly final: boolean;
}

/** How an attempt ended. Each `cause` is a redacted copy of the error that `fetch` rejected with. */
export type Outcome =
  | ReceivedOutcome
  /** No complete response came within the timeout of the attempt. */
  | { readonly kind: 'attempt-timeout'; readonly mayHaveActed: boolean }
  /** A success whose body is larger than allowed. */
  | { readonly kind: 'oversized'; readonly mayHaveActed: boolean; readonly status: number }
  /** The connection broke within the body of a success. */
  | {
      readonly kind: 'broken';
      readonly mayHaveActed: boolean;
      readonly status: number;
      readonly cause: Error | undefined;
    }
  /** No response came. */
  | {
      readonly kind: 'lost';
      readonly mayHaveActed: boolean;
      readonly cause: Error | undefined;
      /** Whether a retry would fail in the same way. */
      readonly final: boolean;
    }
  /** No connection was made. */
  | {
      readonly kind: 'unsent';
      readonly mayHaveActed: boolean;
      readonly cause: Error | undefined;
      readonly failure: ConnectFailure;
    }
  /** A hook or an option of a ky instance failed. A retry would fail in the same way. */
  | (MiddlewareOutcome & { readonly mayHaveActed: boolean; readonly cause: Error | undefined })
  /** The call was aborted, or `fetch` threw an error that a framework uses for control flow. */
  | { readonly kind: 'aborted'; readonly mayHaveActed: boolean; readonly error: unknown }
  /** The total timeout of the call ended. */
  | { readonly kind: 'call-timeout'; readonly mayHaveActed: boolean };

/** The function `apiKey` or `headers` failed. Nothing was sent. */
export interface Unprepared {
  readonly kind: 'unprepared';
  readonly error: unknown;
}

/** How a request of a call ended: with its last attempt, or before another one was sent. */
export type RequestEnd = Outcome | Unprepared | AcquireRefusal;
