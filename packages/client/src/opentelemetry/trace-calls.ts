import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { context, createContextKey, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AttemptEvent, CallEndEvent, CallStartEvent } from '../hooks/events.ts';
import type { AttemptEnd, CallTrace, StartTrace } from '../hooks/tracing.ts';
import type { Histograms } from './attributes.ts';
import { ABORTED, attemptErrorType, callErrorType, describeAttempt } from './attributes.ts';

/** The key that `suppressTracing` of @opentelemetry/core sets. Keys of the same name are the same symbol. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** A tracer that fails must not break a call. */
const ignoringErrors = <T>(run: () => T): T | undefined => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

/** @param type The kind of the error; undefined for none. An abort is not a failure, because the caller asked for it. */
const endSpan = (span: Span, type: string | undefined): void => {
  if (type !== undefined) {
    span.setAttribute('error.type', type);
  }
  if (type !== undefined && type !== ABORTED) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};

/** The trace of an attempt. */
interface TracedAttempt {
  readonly context: Context;
  /** Headers that propagate the context. */
  readonly headers: Readonly<Record<string, string>>;
  readonly end: (end: AttemptEnd) => void;
}

/** Returns the headers that propagate a context, with names in lower case. It throws if they cannot be sent. */
const propagate = (from: Context): Readonly<Record<string, string>> => {
  const carrier: Record<string, string> = {};
  propagation.inject(from, carrier);
  return Object.fromEntries(new Headers(carrier));
};

/** A span for each call, a child span for each attempt, and measurements of both. */
class TracedCall implements CallTrace {
  readonly #tracer: Tracer;
  readonly #histograms: () => Histograms;
  readonly #operation: CallStartEvent['operation'];
  readonly #span: Span;
  readonly #context: Context;

  constructor(tracer: Tracer, histograms: () => Histograms, { operation }: CallStartEvent) {
    const parent = context.active();
    const attributes = { 'confab.operation': operation };
    this.#tracer = tracer;
    this.#histograms = histograms;
    this.#operation = operation;
    this.#span = tracer.startSpan(`confab ${operation}`, { kind: SpanKind.INTERNAL, attributes }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  run<T>(work: () => T): T {
    return context.with(this.#context, work);
  }

  async attempt<End extends AttemptEnd>(
    event: AttemptEvent,
    send: (headers: Readonly<Record<string, string>>) => Promise<End>,
  ): Promise<End> {
    const started = ignoringErrors(() => this.#startAttempt(event));
    if (started === undefined) {
      return send({});
    }
    // An instrumentation of `fetch` would add a second span, with the query, and a second `traceparent`.
    const sending = started.context.setValue(SUPPRESS_TRACING, true);
    const end = await context.with(sending, send, undefined, started.headers);
    ignoringErrors(() => started.end(end));
    return end;
  }

  end({ outcome, error, attempts, durationMs, queuedMs, waitedMs }: CallEndEvent): void {
    const type = outcome === 'success' ? undefined : outcome === 'aborted' ? ABORTED : callErrorType(error);
    const operation = { 'confab.operation': this.#operation };
    ignoringErrors(() => {
      this.#span.setAttributes({
        'confab.attempts': attempts,
        'confab.queued_ms': queuedMs,
        'confab.waited_ms': waitedMs,
      });
      endSpan(this.#span, type);
      const { call, wait } = this.#histograms();
      call.record(durationMs / 1_000, type === undefined ? operation : { ...operation, 'error.type': type });
      if (attempts > 0 || queuedMs > 0) {
        wait.record(queuedMs / 1_000, operation);
      }
    });
  }

  #startAttempt(event: AttemptEvent): TracedAttempt {
    const { spanName, span: attributes, metric } = describeAttempt(event);
    const span = this.#tracer.startSpan(spanName, { kind: SpanKind.CLIENT, attributes }, this.#context);
    const startedAt = performance.now();
    const attemptContext = trace.setSpan(this.#context, span);
    return {
      context: attemptContext,
      headers: ignoringErrors(() => propagate(attemptContext)) ?? {},
      end: (end) => {
        const type = attemptErrorType(end, this.#operation);
        const result: Attributes = {
          // Browsers hide the status of a redirect behind 0.
          ...(end.status ? { 'http.response.status_code': end.status } : {}),
          ...(type === undefined ? {} : { 'error.type': type }),
        };
        span.setAttributes(result);
        endSpan(span, type);
        this.#histograms().attempt.record((performance.now() - startedAt) / 1_000, { ...metric, ...result });
      },
    };
  }
}

/** @param histograms Called at the first measurement: a meter that is requested before the SDK starts records nothing. */
export const traceCalls =
  (tracer: Tracer, histograms: () => Histograms): StartTrace =>
  (event) =>
    ignoringErrors(() => new TracedCall(tracer, histograms, event));
