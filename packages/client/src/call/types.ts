import type { Operation } from '../contract/operations.ts';
import type { Issue, OperationName } from '../contract/types.ts';
import type { CallTrace } from '../hooks/tracing.ts';
import type { CallSettings } from '../options/resolve-options.ts';
import type { TimeLimit } from '../time/time-limit.ts';
import type { ResponseInfo } from './call-result.ts';
import type { ReceivedOutcome } from './outcome.ts';

/** An operation, as far as its calls depend on it. Only a custom request has no schemas. */
export interface CallOperation
  extends Pick<Operation, 'idempotent' | 'timeout' | 'totalTimeout'>,
    Partial<Pick<Operation, 'params' | 'query' | 'body' | 'response'>> {
  readonly id: OperationName;
  /** Name in messages, if it is not the id. */
  readonly label?: string;
  readonly method: string;
  /** Path below the base URL, with `{name}` for each parameter. */
  readonly path: string;
}

/** The input of a call, before it is checked. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object | undefined;
  /** The page to read, in place of the one of the query. */
  readonly page?: { readonly limit: number | undefined; readonly offset: number | undefined } | undefined;
  readonly body?: unknown;
  /** Whether this is bulk work, which waits in the queue behind the calls that a program makes directly. */
  readonly isBulk?: boolean;
  /** Milliseconds for which retries after 429s without `Retry-After` do not count toward `retry.limit`. */
  readonly freeRetriesMs?: number;
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

/** The cost of a request or of a whole call, and its effect. */
export interface CallEffort {
  /** Number of times a request was sent. */
  readonly attempts: number;
  /** Milliseconds in the queue. */
  readonly queuedMs: number;
  /** Milliseconds between failed attempts and their retries, without the time in the queue. */
  readonly waitedMs: number;
  /** Whether the service may have acted on any of the attempts. */
  readonly mayHaveActed: boolean;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** A call that was reported to the hooks. It may send several requests. */
export interface StartedCall {
  readonly callId: number;
  readonly trace: CallTrace | undefined;
  /** The effort of all its requests so far. */
  readonly callEffort: Writable<CallEffort>;
}

/** A request of a call that is being sent. */
export interface RunningRequest extends StartedCall {
  readonly operation: CallOperation;
  readonly request: ApiRequest;
  readonly options: CallSettings;
  readonly isBulk: boolean;
  readonly freeRetriesMs: number;
  /** The total timeout of the request. */
  readonly timeLimit: TimeLimit;
  /** When the request must have ended; Infinity for no limit. */
  readonly endsAt: number;
  /** The effort of this request alone so far. */
  readonly effort: Writable<CallEffort>;
}

/** The successful response to a call, before its body is checked. */
export interface ApiResponse extends ReceivedOutcome, ResponseInfo {
  readonly running: RunningRequest;
}
