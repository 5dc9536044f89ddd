import type { Attributes, Histogram, Meter } from '@opentelemetry/api';
import type { Outcome } from '../call/outcome.ts';
import { operations } from '../contract/operations.ts';
import type { OperationName } from '../contract/types.ts';
import { ApiError, ConfabError } from '../errors/index.ts';
import type { AttemptEvent, CallStartEvent } from '../hooks/events.ts';
import type { AttemptEnd } from '../hooks/tracing.ts';

/** The histograms of the durations of attempts, calls and waits. */
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
      'Time that calls spent in the queue of the client, for the rate limit or a free slot.',
      CALL_BOUNDARIES,
    ),
  };
};

/** The path of an operation, with a name in place of each id; undefined for `confab.request`. */
const buildTemplate = (operation: OperationName, pathname: string): string | undefined => {
  if (operation === 'request') {
    return undefined;
  }
  const { path } = operations[operation];
  const [beginning = ''] = path.split('{');
  // The base URL may have a path, too.
  return pathname.slice(0, pathname.lastIndexOf(beginning)) + path;
};

/** The description of an attempt in spans and metrics, by the names of OpenTelemetry's conventions for HTTP clients. */
export interface AttemptAttributes {
  readonly spanName: string;
  /** Attributes of the metrics, which have few values each. */
  readonly metric: Attributes;
  /** Attributes of the span. */
  readonly span: Attributes;
}

/**
 * Describes an attempt without anything that might be secret or personal: no key, no body, no query, and for
 * `confab.request` no path.
 */
export const describeAttempt = ({ operation, method, url, attempt }: AttemptEvent): AttemptAttributes => {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  const template = buildTemplate(operation, pathname);
  const metric: Attributes = {
    'http.request.method': method,
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(template === undefined ? {} : { 'url.template': template }),
  };
  return {
    spanName: template === undefined ? method : `${method} ${template}`,
    metric,
    span: {
      ...metric,
      ...(template === undefined ? {} : { 'url.full': origin + pathname }),
      ...(attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 }),
    },
  };
};

/** The error type of a call that the caller aborted. */
export const ABORTED = 'aborted';

/** Names the error of a call. Messages stay out, because they may quote a value of the request or the response. */
export const callErrorType = (error: unknown): string => {
  if (error instanceof ApiError) {
    return String(error.status);
  }
  return error instanceof ConfabError ? error.name : '_OTHER';
};

/** The error types of attempts without a response, by the kind of their outcome. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  'attempt-timeout': 'TimeoutError',
  'call-timeout': 'TimeoutError',
  lost: 'ConnectionError',
  unsent: 'ConnectionError',
  aborted: ABORTED,
} satisfies Partial<Record<Outcome['kind'], string>>;

/** Names the error of an attempt; undefined for a success. */
export const attemptErrorType = (
  { kind, status }: AttemptEnd,
  operation: CallStartEvent['operation'],
): string | undefined => {
  if (kind !== 'response') {
    return ERROR_TYPES[kind] ?? (status === undefined ? 'ConfigurationError' : 'InvalidResponseError');
  }
  // For `leads.ensure`, a 409 is a success: the lead exists.
  const isExpected = status === undefined || status < 400 || (status === 409 && operation === 'leads.ensure');
  return isExpected ? undefined : String(status);
};
