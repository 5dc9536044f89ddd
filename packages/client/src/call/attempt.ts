import type { Redact } from '../errors/redaction.ts';
import type { AttemptEvent } from '../options/hook-events.ts';
import type { ResolvedCallOptions } from '../options/resolve-call-options.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import type { ApiRequest } from './check-input.ts';
import type { AttemptOutcome } from './exchange.ts';
import { exchange } from './exchange.ts';

/** One attempt to send a request. */
export interface Attempt {
  readonly callId: number;
  readonly request: ApiRequest;
  readonly options: ResolvedCallOptions;
  /** From 1. */
  readonly number: number;
  /** Aborted when the call must end. */
  readonly signal: AbortSignal;
}

/** What became of an attempt. */
export type AttemptResult =
  | {
      readonly kind: 'done';
      readonly outcome: AttemptOutcome;
      readonly event: AttemptEvent;
      /** Redacts the key that the request was sent with. */
      readonly redact: Redact;
    }
  /** Nothing was sent, because a pause began while the user's `apiKey` or `headers` function ran. */
  | { readonly kind: 'paused' }
  /** The call was aborted, or the user's `apiKey` or `headers` function failed. */
  | { readonly kind: 'stopped'; readonly error: unknown; readonly sent: boolean };

/**
 * Sends a request once: asks for the key and the headers, exchanges the request for a response, and reports both to the
 * hooks. It never rejects.
 */
export const attempt = async (
  client: ResolvedClientOptions,
  limiter: Pick<Limiter, 'isPaused'>,
  { callId, request, options, number, signal }: Attempt,
): Promise<AttemptResult> => {
  const { clock, key, report } = client;
  let sent = false;
  try {
    const secret = await key.get(signal);
    const redact = key.redactWith(secret);
    const { operation, method, path } = request;
    // A search for the key would put the key into the URL.
    const url = redact(client.baseUrl + path);
    const event: AttemptEvent = Object.freeze({ callId, operation, method, url, attempt: number });
    const headers = await client.askHeaders?.(event, redact, signal);
    if (client.longestLookup > 0 && limiter.isPaused()) {
      return { kind: 'paused' };
    }

    report.request(event);
    sent = true;
    const startedAt = clock.now();
    const outcome = await exchange(client, { request, headers, secret, redact, options, signal });
    if (outcome.kind === 'response') {
      const { status, headers: received, rateLimit } = outcome;
      const durationMs = Math.round(clock.now() - startedAt);
      report.response({ ...event, status, headers: received, durationMs });
      if (status === 429) {
        report.rateLimit({ ...event, ...rateLimit });
      }
    }
    return { kind: 'done', outcome, event, redact };
  } catch (error) {
    return { kind: 'stopped', error, sent };
  }
};
