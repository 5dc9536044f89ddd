import { readRateLimit } from '../rate-limit/rate-limit-headers.ts';
import type { AttemptResponse } from '../retry/attempt-outcome.ts';
import type { Redact } from '../secrecy/redact.ts';
import { safeHeaders } from '../secrecy/safe-headers.ts';

/** Browsers hide a redirect that was not followed behind the status 0. */
const isRedirect = ({ type, status, redirected }: Response): boolean =>
  // A user's `fetch` may have followed a redirect.
  redirected || type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is not JSON.
  }
  return undefined;
};

/**
 * Converts a response to plain data without the API key.
 *
 * @param now Milliseconds since 1970.
 */
export const readResponse = (
  response: Response,
  text: string | undefined,
  redact: Redact,
  now: number,
): AttemptResponse => {
  const headers = safeHeaders(response.headers, redact);
  return {
    kind: 'response',
    status: response.status,
    redirected: isRedirect(response),
    headers,
    text,
    body: text === undefined ? undefined : parseJson(text),
    rateLimit: readRateLimit(headers, now),
  };
};
