import type { Histogram, Meter } from '@opentelemetry/api';

/** The durations that calls are measured by, in seconds. */
export interface Histograms {
  readonly attempt: Histogram;
  readonly call: Histogram;
  readonly wait: Histogram;
}

/** The boundaries that OpenTelemetry recommends for HTTP requests, in seconds. */
const REQUEST_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A call may wait for minutes. */
const CALL_BOUNDARIES = [...REQUEST_BOUNDARIES, 30, 60, 120, 300];

export const createHistograms = (meter: Meter): Histograms => {
  const create = (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } });
  return {
    attempt: create('http.client.request.duration', 'Duration of HTTP client requests.', REQUEST_BOUNDARIES),
    call: create(
      'confab.client.call.duration',
      'Duration of calls, waits and retries included.',
      CALL_BOUNDARIES,
    ),
    wait: create(
      'confab.client.rate_limit.wait.duration',
      'Time that calls spent in the queue of the client, for the rate limit or a free place.',
      CALL_BOUNDARIES,
    ),
  };
};
