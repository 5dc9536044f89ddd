import { createGrowingBuffer } from '@confab/internal';
import { describeFailure } from '../errors/failure-reason.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Take } from '../http/capacity.ts';
import { decodeText } from '../request/incoming-request.ts';
import type { ReadJson } from '../request/json.ts';
import { readJson } from '../request/json.ts';
import type { Route } from '../request/route.ts';

const LIMITS = {
  /** Milliseconds for a response: longer than the client waits for an agent. */
  timeout: 150_000,
  /** Bytes of a response: as many as the client reads. */
  responseBytes: 10 * 1024 * 1024,
};

/** Other limits: those of tests and of the probe. */
export type ForwardLimits = Partial<typeof LIMITS>;

/** A response of the service, read whole. */
export interface ServiceReply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The body, read as JSON. */
  readonly json: ReadJson;
}

/** The proxy's own response, if it got none from the service or does not pass it on. */
const failure = (
  code: 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT' | 'REDIRECT_REFUSED' | 'RESPONSE_TOO_LARGE',
  message: string,
) => ({ kind: 'failure' as const, status: code === 'UPSTREAM_TIMEOUT' ? 504 : 502, code, message });

/**
 * How a request to the service ended: `connection-lost` when the service broke the connection before or during its
 * response.
 */
export type Outcome = ServiceReply | ReturnType<typeof failure> | { readonly kind: 'connection-lost' };

/** A request, as the proxy passes it on. */
export interface ForwardedRequest {
  /** The operation; `undefined` when the contract has none with this method and path. */
  readonly route: Route | undefined;
  /** How many requests of this operation came before. */
  readonly index: number;
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  /** The query without its question mark. */
  readonly search: string;
  readonly body: string;
}

/** Why the service did not respond at all; `undefined` if it did. */
export const unreachableReason = (outcome: Outcome): string | undefined =>
  outcome.kind === 'failure' && /^UPSTREAM_/.test(outcome.code) ? outcome.message : undefined;

/** Errors of a connection that was made, and then lost. */
const LOST = /\b(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)\b/;

/** Errors of a certificate whose issuer is unknown, or that is its own issuer. */
const UNTRUSTED = /SELF_SIGNED|ISSUER_CERT|LEAF_SIGNATURE/;

const HOW_TO_TRUST =
  ". If the certificate's authority is your own, start confab-mock with NODE_EXTRA_CA_CERTS set to the file of the authority's certificate.";

interface UpstreamRequest extends Pick<RequestInit, 'method' | 'headers'> {
  readonly url: URL;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Aborts when the caller goes away. */
  readonly signal?: AbortSignal | undefined;
  /** Counts the bytes that all bodies take. */
  readonly take?: Take | undefined;
  readonly limits?: ForwardLimits | undefined;
}

/**
 * Sends a request to the service, and reads the response. Redirects are not followed, because they could carry the key to a
 * different host.
 *
 * @throws A {@link Refusal} 503, when all bodies together take too many bytes.
 * @throws The signal's reason, when the caller goes away.
 */
export const fetchUpstream = async ({
  url,
  body,
  take,
  signal,
  limits,
  ...init
}: UpstreamRequest): Promise<Outcome> => {
  const { timeout, responseBytes } = { ...LIMITS, ...limits };
  const late = AbortSignal.timeout(timeout);
  let response: Response | undefined;
  try {
    response = await fetch(url, {
      ...init,
      body: body ?? null,
      redirect: 'manual',
      signal: AbortSignal.any(signal === undefined ? [late] : [late, signal]),
    });
    const { status, headers } = response;
    if (status >= 300 && status < 400 && headers.has('location')) {
      response.body?.cancel().catch(() => {});
      return failure(
        'REDIRECT_REFUSED',
        `${url.origin} responded with a redirect (${status}), which is never followed: it could carry the key to a different host`,
      );
    }
    const buffer = createGrowingBuffer(responseBytes);
    // Leaving the loop cancels the rest of the body, which may be endless.
    for await (const chunk of response.body ?? []) {
      if (!buffer.append(chunk)) {
        return failure('RESPONSE_TOO_LARGE', `${url.origin} responded with more than ${responseBytes} bytes`);
      }
      take?.('bodyBytes', chunk.length);
    }
    const bytes = buffer.bytes();
    return { kind: 'reply', status, headers, bytes, json: readJson(decodeText(bytes)) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Refusal) {
      throw error;
    }
    if (late.aborted) {
      return failure(
        'UPSTREAM_TIMEOUT',
        `The service at ${url.origin} sent no response within ${timeout} ms`,
      );
    }
    const reason = describeFailure(error);
    if (response !== undefined || LOST.test(reason)) {
      return { kind: 'connection-lost' };
    }
    const advice = UNTRUSTED.test(reason) ? HOW_TO_TRUST : '';
    return failure(
      'UPSTREAM_UNREACHABLE',
      `The service at ${url.origin} could not be reached: ${reason}${advice}`,
    );
  }
};
