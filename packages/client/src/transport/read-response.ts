import type { CallFacts } from '../options/hooks.ts';
import type { CallSettings, Config } from '../options/resolve-client-options.ts';
import type { RateLimitReading } from '../rate-limit/rate-limit-headers.ts';
import { readRateLimit } from '../rate-limit/rate-limit-headers.ts';
import type { Redact } from '../secrecy/redact.ts';
import { safeHeaders } from '../secrecy/safe-headers.ts';
import type { PreparedRequest } from './build-request.ts';
import { parseJson } from './read-outcome/decode-envelope.ts';
import type { Outcome } from './send-once.ts';
import { attempt } from './send-once.ts';

/** What one attempt came to, without anything that leads to the key. */
export type Exchange =
  | Exclude<Outcome, { kind: 'response' }>
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly redirected: boolean;
      /** Lower case, without cookies. */
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
      /** The text as JSON; undefined when it is none. */
      readonly body: unknown;
      readonly rateLimit: RateLimitReading;
    };

/** Browsers hide a redirect that is not followed behind the status 0. */
const isRedirect = ({ type, status, redirected }: Response): boolean =>
  // A `fetch` of the user's may have followed one.
  redirected || type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

/** Sends a request once, and tells the hooks. */
export const exchange = async (
  { baseUrl, authorize, clock, fetch, maxResponseBytes, report }: Config,
  secret: string,
  redact: Redact,
  request: PreparedRequest,
  facts: CallFacts,
  settings: CallSettings,
  signal: AbortSignal,
): Promise<Exchange> => {
  const headers = new Headers({
    accept: 'application/json',
    ...settings.headers,
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...authorize(secret),
  });

  report.request(facts);
  const startedAt = clock.now();
  const outcome = await attempt({
    url: baseUrl + request.path,
    method: request.method,
    headers,
    body: request.body,
    signal,
    timeout: settings.timeout,
    maxBytes: maxResponseBytes,
    clock,
    fetch,
  });
  if (outcome.kind !== 'response') {
    return outcome;
  }

  const now = clock.now();
  const { response, text } = outcome;
  const safe = safeHeaders(response.headers, redact);
  const rateLimit = readRateLimit(safe, now);
  report.response({
    ...facts,
    status: response.status,
    headers: safe,
    durationMs: Math.round(now - startedAt),
  });
  if (response.status === 429) {
    report.rateLimit({ ...facts, ...rateLimit });
  }
  return {
    kind: 'response',
    status: response.status,
    redirected: isRedirect(response),
    headers: safe,
    text,
    body: parseJson(text),
    rateLimit,
  };
};
