import type { Checks } from '@confab/internal';
import { hasMethods, must } from '@confab/internal';
import type { Context, Meter, Tracer } from '@opentelemetry/api';
import { context, createContextKey, metrics, propagation, trace } from '@opentelemetry/api';
import type { AttemptHeaders, ClientOptions, Fetch, HeaderValues } from '../options/client-options.ts';
import type { Hooks } from '../options/events.ts';
import { checkHeaders } from '../options/headers.ts';
import { CLIENT_OPTIONS, checkOptions, HOOKS } from '../options/option-checks.ts';
import { keyOf } from '../options/resolve-options.ts';
import type { Histograms } from './attributes.ts';
import { createHistograms } from './attributes.ts';
import type { CallTracer } from './trace-calls.ts';
import { traceCalls } from './trace-calls.ts';

/** Options of {@link instrument}. */
export interface InstrumentOptions {
  /**
   * Creates the spans.
   *
   * @default trace.getTracer('@confab/client')
   */
  tracer?: Tracer | undefined;
  /**
   * Creates the histograms.
   *
   * @default metrics.getMeter('@confab/client')
   */
  meter?: Meter | undefined;
}

const INSTRUMENT_OPTIONS: Checks<InstrumentOptions> = {
  tracer: must((value) => hasMethods(value, 'startSpan'), 'a tracer of OpenTelemetry'),
  meter: must((value) => hasMethods(value, 'createHistogram'), 'a meter of OpenTelemetry'),
};

const SCOPE = '@confab/client';

/** What `suppressTracing` of @opentelemetry/core sets. A key is a `Symbol.for`, so it need not be imported from there. */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** Calls our own hooks, then the user's, even if ours fail. */
const composeHooks = (ours: Hooks, theirs: Hooks | undefined): Hooks => {
  const names = Object.keys(HOOKS) as (keyof Hooks)[];
  const both = names.map((name) => [
    name,
    (event: never) => {
      try {
        ours[name]?.(event);
      } catch {}
      // Returns a promise, so that the client can ignore its rejection.
      return theirs?.[name]?.(event);
    },
  ]);
  return Object.fromEntries(both);
};

/**
 * Returns a `fetch` that runs in the context of the attempt that `sending` takes. Tracing is suppressed there: an
 * instrumentation of `fetch` would add a second span, with the query, and a second `traceparent`.
 */
const composeFetch =
  (sending: () => Context | undefined, theirs: Fetch | undefined): Fetch =>
  (url, init) => {
    // Read for each attempt, because tools replace it.
    const send = theirs ?? globalThis.fetch;
    const attempt = sending() ?? context.active();
    return context.with(attempt.setValue(SUPPRESS_TRACING, true), send, undefined, url, init);
  };

/** Returns the user's headers with those that propagate the context of the attempt. */
const composeHeaders =
  (
    calls: CallTracer,
    theirs: NonNullable<ClientOptions['headers']>,
    check: (headers: HeaderValues) => Readonly<Record<string, string>>,
  ): AttemptHeaders =>
  async (attempt) => {
    const headers =
      typeof theirs === 'function'
        ? await context.with(calls.contextOf(attempt), theirs, undefined, attempt)
        : theirs;
    const carrier: Record<string, string> = {};
    let checked: Readonly<Record<string, string>>;
    try {
      checked = check(headers);
      propagation.inject(calls.attemptStart(attempt), carrier);
    } catch {
      // The client refuses invalid headers, so there is no attempt.
      return headers;
    }
    const added = new Set(Object.keys(carrier).map((name) => name.toLowerCase()));
    const kept = Object.entries(checked).filter(([name]) => !added.has(name.toLowerCase()));
    return { ...Object.fromEntries(kept), ...carrier };
  };

/**
 * Adds OpenTelemetry to the options of a client: a span for each call, a child span for each attempt, the trace context in
 * the headers of each request, and histograms of durations and of rate-limit waits. The `hooks`, `headers` and `fetch` in
 * `options` still work. An instrumentation of `fetch` adds nothing to an attempt.
 *
 * Attributes follow the semantic conventions for HTTP clients. They never contain the API key, a body, a query or an
 * error message. The context is propagated by the propagator that your SDK registers.
 *
 * @throws {@link ConfigurationError} When an option is unknown or `headers` are invalid.
 * @example
 * ```ts
 * import { createClient } from '@confab/client';
 * import { instrument } from '@confab/client/opentelemetry';
 *
 * const confab = createClient(instrument({ baseUrl: 'https://api.example.com', apiKey: key }));
 * ```
 */
export const instrument = (
  options: ClientOptions = {},
  instrumentOptions: InstrumentOptions = {},
): ClientOptions => {
  const { redact } = keyOf(options);
  checkOptions('option of createClient', options, CLIENT_OPTIONS, redact);
  checkOptions('option of instrument', instrumentOptions, INSTRUMENT_OPTIONS, redact);
  const { headers = {}, hooks, auth } = options;
  const reserved = auth === 'bearer' ? 'authorization' : 'x-api-key';
  const check = (given: HeaderValues) => checkHeaders(given, reserved, redact);
  if (typeof headers !== 'function') {
    check(headers);
  }
  const { tracer = trace.getTracer(SCOPE), meter } = instrumentOptions;
  let histograms: Histograms | undefined;
  const calls = traceCalls(tracer, () => {
    histograms ??= createHistograms(meter ?? metrics.getMeter(SCOPE));
    return histograms;
  });
  let sending: Context | undefined;
  return {
    ...options,
    headers: composeHeaders(calls, headers, check),
    fetch: composeFetch(() => sending, options.fetch),
    hooks: composeHooks(
      {
        onCallStart: calls.callStart,
        // The client calls `fetch` next, before any other code runs.
        onRequest: (attempt) => {
          sending = calls.attemptSent(attempt);
        },
        onResponse: calls.response,
        onRetry: calls.retry,
        onCallEnd: calls.callEnd,
      },
      hooks,
    ),
  };
};
