import type { Checks } from '@confab/internal';
import { checkThat, hasMethods } from '@confab/internal';
import type { Meter, Tracer } from '@opentelemetry/api';
import { metrics, trace } from '@opentelemetry/api';
import type { Traceable } from '../hooks/tracing.ts';
import { TRACING } from '../hooks/tracing.ts';
import type { ClientOptions } from '../options/client-options.ts';
import { checkOptions } from '../options/option-checks.ts';
import { readKey } from '../options/resolve-options.ts';
import type { Histograms } from './attributes.ts';
import { createHistograms } from './attributes.ts';
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
  tracer: checkThat((value) => hasMethods(value, 'startSpan'), 'a tracer of OpenTelemetry'),
  meter: checkThat((value) => hasMethods(value, 'createHistogram'), 'a meter of OpenTelemetry'),
};

const SCOPE = '@confab/client';

/**
 * Adds OpenTelemetry to the options of a client: a span for each call, a child span for each attempt, the trace context in
 * the headers of each request, and histograms of durations and of rate-limit waits. The `hooks`, `headers` and `fetch` in
 * `options` still work. An instrumentation of `fetch` adds nothing to an attempt.
 *
 * Attributes follow the semantic conventions for HTTP clients. They never contain the API key, a body, a query or an
 * error message. The context is propagated by the propagator that your SDK registers.
 *
 * @throws A {@link ConfigurationError} when an option in `instrumentOptions` is unknown or invalid. `createClient`
 * checks `options`.
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
  checkOptions('instrument option', instrumentOptions, INSTRUMENT_OPTIONS, readKey(options).redact);
  const { tracer = trace.getTracer(SCOPE), meter } = instrumentOptions;
  let histograms: Histograms | undefined;
  const startTrace = traceCalls(tracer, () => {
    histograms ??= createHistograms(meter ?? metrics.getMeter(SCOPE));
    return histograms;
  });
  const instrumented: ClientOptions & Traceable = { ...options, [TRACING]: startTrace };
  return instrumented;
};
