import type { Issue, OperationName } from '../contract/types.ts';
import type { ValidationMode } from '../options/client-options.ts';
import type { Redact } from '../secrecy/safe-cause.ts';

/** The settings of an operation that its calls depend on. */
export interface CallOperation {
  readonly id: OperationName;
  /** Name in messages, if it is not the id. */
  readonly label?: string;
  readonly method: string;
  /** Path below the base URL, with `{name}` for each parameter. */
  readonly path: string;
  /** True when a repeat is harmless. */
  readonly idempotent: boolean;
  /** Default for one attempt, in milliseconds. */
  readonly timeout: number;
  /** Default for the whole call, in milliseconds. */
  readonly totalTimeout: number;
}

/** The input of a call, before it is checked. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** True for work in bulk: it stands behind calls that a program makes directly. */
  readonly isBulk?: boolean;
  /** Problems that were found already. */
  readonly issues?: readonly Issue[];
}

/** A checked request, without the API key. */
export interface ApiRequest {
  readonly operation: OperationName;
  /** Name of the call in messages: its operation, or the method and path of a `confab.request`. */
  readonly label: string;
  readonly method: string;
  /** Path and query, to append to the base URL. */
  readonly path: string;
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

/** Details of a response, apart from its data. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Response headers: names in lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of times the request was sent. */
  readonly attempts: number;
}

/** A response whose body has been read. */
export interface ReceivedResponse extends ResponseInfo {
  /** Undefined when the body of an error or redirect was cut off. */
  readonly text: string | undefined;
}

/** The API's response to a call, before its body is checked. */
export interface ApiResponse extends ReceivedResponse {
  readonly operation: OperationName;
  /** Name of the call in messages. */
  readonly label: string;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
  /** Redacts the API key that the request was sent with. */
  readonly redact: Redact;
  /** What to do if the body breaks the contract. */
  readonly validation: ValidationMode;
  /** True when the service may have acted on a request that is not idempotent. */
  readonly mayHaveWritten: boolean;
}

/** The attempts that a call made, and the time it waited. */
export interface CallEffort {
  /** Number of times the request was sent. */
  readonly attempts: number;
  /** Milliseconds in the queue. */
  readonly queuedMs: number;
  /** Milliseconds between a failed attempt and its repeat, apart from the time in the queue. */
  readonly waitedMs: number;
  /** True when an attempt before the last one may have acted. */
  readonly mayHaveActedEarlier: boolean;
}

/** The result of a call. With an error, there is a response if only its data could not be read. */
export type CallResult<T> = CallEffort &
  (
    | { readonly data: T; readonly response: ReceivedResponse }
    | { readonly error: unknown; readonly response: ReceivedResponse | undefined }
  );
