import type { AttemptEvent, CallEndEvent, CallStartEvent } from './events.ts';

/** How an attempt ended, for its trace. */
export interface AttemptEnd {
  readonly kind: string;
  readonly status?: number | undefined;
}

/** The trace of a call. Its methods throw only the errors of the functions that they run. */
export interface CallTrace {
  /** Runs a part of the call in the context of its trace. */
  run<T>(work: () => T): T;
  /** Passes `send` the headers that propagate the context of the attempt. */
  attempt<End extends AttemptEnd>(
    event: AttemptEvent,
    send: (headers: Readonly<Record<string, string>>) => Promise<End>,
  ): Promise<End>;
  end(event: CallEndEvent): void;
}

/** Starts the trace of a call; undefined for none. */
export type StartTrace = (event: CallStartEvent) => CallTrace | undefined;

/**
 * The name of the option that traces calls. `instrument` sets it, and it is part of no public type. The symbol is the same
 * in every copy of this package.
 */
export const TRACING: unique symbol = Symbol.for('confab.tracing') as never;

/** Options of a client that may have been instrumented. */
export interface Traceable {
  readonly [TRACING]?: StartTrace;
}
