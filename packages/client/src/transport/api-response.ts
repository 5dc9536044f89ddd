import type { OperationName } from '../contract/types.ts';
import type { ValidationMode } from '../options/client-options.ts';
import type { Redact } from '../secrecy/redact.ts';

/** Details of a response, apart from its data. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Response headers: names in lower case, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of times the request was sent. */
  readonly attempts: number;
}

/** What the API responded to a call. Its body has been read but not yet decoded. */
export interface ApiResponse extends ResponseInfo {
  readonly operation: OperationName;
  /** What messages call the call. */
  readonly label: string;
  /** Undefined when the body of an error or redirect was cut off. */
  readonly text: string | undefined;
  /** The text parsed as JSON; undefined when it is not JSON. */
  readonly body: unknown;
  /** Redacts the API key that the request was sent with. */
  readonly redact: Redact;
  /** What to do if the body breaks the contract. */
  readonly validation: ValidationMode;
}

/** A response and the data in it. */
export interface ReceivedData<T> extends ApiResponse {
  /** Rejects when the body cannot be decoded. */
  readonly data: Promise<T>;
}
