import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AttemptEvent, CallEndEvent, CallStartEvent, RetryEvent } from '../options/events.ts';
import type { Histograms } from './attributes.ts';
import { describeAttempt, errorType } from './attributes.ts';

/** Turns the events of calls into spans and measurements. */
export interface CallTracer {
  callStart(event: CallStartEvent): void;
  /** Returns the context of a call; the active one when the call is unknown. */
  contextOf(event: CallStartEvent): Context;
  /** Starts the span of an attempt and returns its context. */
  attemptStart(event: AttemptEvent): Context;
  /** Notes that the attempt is sent, and returns its context; undefined when the attempt is unknown. */
  attemptSent(event: AttemptEvent): Context | undefined;
  response(event: AttemptEvent & { readonly status: number }): void;
  retry(event: RetryEvent): void;
  callEnd(event: CallEndEvent): void;
}

interface TracedAttempt {
  readonly span: Span;
  readonly context: Context;
  readonly attributes: Attributes;
  readonly startedAt: number;
  isSent: boolean;
}

interface TracedCall {
  readonly operation: CallStartEvent['operation'];
  readonly span: Span;
  readonly context: Context;
  attempt: TracedAttempt | undefined;
}

/** An abort is what the caller wanted, so it does not mark a span as failed. */
const ABORTED = 'aborted';

const fail = (span: Span, type: string): void => {
  span.setAttribute('error.type', type);
  if (type !== ABORTED) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
};

/** @param histograms Called late: a meter that is requested before the SDK starts would record nothing. */
export const traceCalls = (tracer: Tracer, histograms: () => Histograms): CallTracer => {
  const calls = new Map<number, TracedCall>();

  /** Ends the attempt under way, if there is one. */
  const endAttempt = (call: TracedCall | undefined, status: number | undefined, type: string | undefined) => {
    if (call?.attempt === undefined) {
      return;
    }
    const { span, attributes, startedAt } = call.attempt;
    call.attempt = undefined;
    const result: Attributes = {
      // Browsers hide the status of a redirect behind 0.
      ...(status ? { 'http.response.status_code': status } : {}),
      ...(type === undefined ? {} : { 'error.type': type }),
    };
    span.setAttributes(result);
    if (type !== undefined) {
      fail(span, type);
    }
    span.end();
    histograms().attempt.record((performance.now() - startedAt) / 1_000, { ...attributes, ...result });
  };

  const contextOf: CallTracer['contextOf'] = ({ callId }) => calls.get(callId)?.context ?? context.active();

  return {
    contextOf,
    callStart({ callId, operation }) {
      const parent = context.active();
      const attributes = { 'confab.operation': operation };
      const span = tracer.startSpan(`confab ${operation}`, { kind: SpanKind.INTERNAL, attributes }, parent);
      calls.set(callId, { operation, span, context: trace.setSpan(parent, span), attempt: undefined });
    },
    attemptStart(event) {
      const parent = contextOf(event);
      const call = calls.get(event.callId);
      if (call === undefined) {
        return parent;
      }
      const { spanName, span: attributes, metric } = describeAttempt(event);
      const span = tracer.startSpan(spanName, { kind: SpanKind.CLIENT, attributes }, parent);
      call.attempt = {
        span,
        context: trace.setSpan(parent, span),
        attributes: metric,
        startedAt: performance.now(),
        isSent: false,
      };
      return call.attempt.context;
    },
    attemptSent({ callId }) {
      const attempt = calls.get(callId)?.attempt;
      if (attempt) {
        attempt.isSent = true;
      }
      return attempt?.context;
    },
    response({ callId, status }) {
      const call = calls.get(callId);
      // To `leads.ensure`, a 409 is as good as success: the lead exists.
      const expected = status < 400 || (status === 409 && call?.operation === 'leads.ensure');
      endAttempt(call, status, expected ? undefined : String(status));
    },
    retry({ callId, reason }) {
      // After a response, the attempt has ended already.
      endAttempt(calls.get(callId), undefined, reason === 'timeout' ? 'TimeoutError' : 'ConnectionError');
    },
    callEnd({ callId, operation, outcome, error, attempts, durationMs, queuedMs, waitedMs }) {
      const call = calls.get(callId);
      if (call === undefined) {
        return;
      }
      calls.delete(callId);
      const type = outcome === 'error' ? errorType(error) : ABORTED;
      if (call.attempt?.isSent === false) {
        // The call ended before this attempt was sent. A span that never ends is not exported.
        call.attempt = undefined;
      }
      endAttempt(call, undefined, type);
      const { span } = call;
      span.setAttributes({
        'confab.attempts': attempts,
        'confab.queued_ms': queuedMs,
        'confab.waited_ms': waitedMs,
      });
      const attributes: Attributes = { 'confab.operation': operation };
      if (outcome !== 'success') {
        attributes['error.type'] = type;
        fail(span, type);
      }
      span.end();
      histograms().call.record(durationMs / 1_000, attributes);
      if (attempts > 0 || queuedMs > 0) {
        histograms().wait.record(queuedMs / 1_000, { 'confab.operation': operation });
      }
    },
  };
};
