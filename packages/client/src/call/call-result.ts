import type { OperationId, OperationResponses } from '../contract/types.ts';

/** The data of an operation's successful response. */
export type DataOf<Id extends OperationId> = OperationResponses[Id]['data'];

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

/** The result of a call. With an error, there is a response if only its data could not be read. */
export type CallResult<T> =
  | { readonly data: T; readonly response: ReceivedResponse }
  | { readonly error: unknown; readonly response: ReceivedResponse | undefined };
