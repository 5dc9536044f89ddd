import { createGrowingBuffer } from '@confab/internal';
import { Refusal } from '../../errors/refusal.ts';
import type { RawQuery } from '../../request/input.ts';
import type { Route } from '../../request/route.ts';
import type { Share } from '../../server/capacity.ts';

/** Limits that tests lower. */
export interface ForwardLimits {
  /** Milliseconds for a response: more than the client gives an agent. */
  readonly timeout: number;
  /** As many bytes as the client reads. */
  readonly responseBytes: number;
}

const LIMITS: ForwardLimits = { timeout: 150_000, responseBytes: 10 * 1024 * 1024 };

/** A response of the service, read whole. */
export interface ServiceReply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** A response of the proxy's own, because it could not get one, or did not pass it on. */
interface ProxyFailure {
  readonly kind: 'failure';
  readonly status: 502 | 504;
  readonly code: 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT' | 'REDIRECT_REFUSED' | 'RESPONSE_TOO_LARGE';
  readonly message: string;
}

/** A connection that the service broke. */
interface LostConnection {
  readonly kind: 'lost';
  /** The head of the response, if there was one. */
  readonly head?: Response | undefined;
}

/** What came of a request to the service. */
export type Outcome = ServiceReply | ProxyFailure | LostConnection;

/** A request, as the proxy passes it on. */
export interface ForwardedRequest {
  /** The operation; `undefined` when the contract has none with this method and path. */
  readonly route: Route | undefined;
  /** How many requests of this operation came before. */
  readonly index: number;
  readonly method: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly query: RawQuery;
  readonly body: string;
}

/** A request to the service, and what came of it. */
export interface Exchange {
  readonly request: ForwardedRequest;
  readonly outcome: Outcome;
}

/** Why the service did not respond at all; `undefined` if it did. */
export const unreachable = (outcome: Outcome): string | undefined =>
  outcome.kind === 'failure' && /^UPSTREAM_/.test(outcome.code) ? outcome.message : undefined;

const REDIRECTS = [301, 302, 303, 307, 308];

/** The connection was made, and then lost. */
const LOST: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

const UNTRUSTED =
  "its certificate is not trusted ($). If its authority is your own, start this proxy with NODE_EXTRA_CA_CERTS set to the file of the authority's certificate.";
const OUTDATED = 'its certificate is out of date ($), or the clock of this machine is wrong';

/** What to do about errors, by their codes in Node. */
const PROBLEMS: Readonly<Record<string, string>> = {
  // Its issuer is unknown, or the certificate is self-signed.
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: OUTDATED,
  CERT_NOT_YET_VALID: OUTDATED,
  'bad port': '`fetch` refuses its port, as browsers do. Choose another one.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is valid for other host names only ($). Check --forward.',
};

const codeOf = (error: unknown): string => {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return String(cause instanceof Error ? (Reflect.get(cause, 'code') ?? cause.message) : error);
};

const failure = (code: ProxyFailure['code'], message: string): ProxyFailure => ({
  kind: 'failure',
  status: code === 'UPSTREAM_TIMEOUT' ? 504 : 502,
  code,
  message,
});

const readBody = async (
  { body }: Response,
  limit: number,
  share: Pick<Share, 'take'> | undefined,
): Promise<Uint8Array | undefined> => {
  const buffer = createGrowingBuffer(limit);
  // Leaving the loop cancels the rest, which may go on forever.
  for await (const chunk of body ?? []) {
    if (!buffer.append(chunk)) {
      return undefined;
    }
    share?.take(chunk.length);
  }
  return buffer.bytes();
};

interface Ask extends Pick<RequestInit, 'method' | 'headers'> {
  readonly url: URL;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Aborts when the caller goes away. */
  readonly signal?: AbortSignal | undefined;
  /** Counts the bytes that all bodies take. */
  readonly share?: Pick<Share, 'take'> | undefined;
  readonly limits?: Partial<ForwardLimits> | undefined;
}

/**
 * Sends a request to the service, and reads the response. Redirects are not followed, because they could carry the key to
 * another host.
 *
 * @throws {@link Refusal} 503, when all bodies together take too many bytes.
 * @throws The signal's reason, when the caller goes away.
 */
export const askService = async ({ url, body, share, signal, limits, ...init }: Ask): Promise<Outcome> => {
  const { timeout, responseBytes } = { ...LIMITS, ...limits };
  const late = AbortSignal.timeout(timeout);
  let response: Response | undefined;
  try {
    response = await fetch(url, {
      ...init,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([late, ...(signal === undefined ? [] : [signal])]),
    });
    const { status, headers } = response;
    if (REDIRECTS.includes(status)) {
      response.body?.cancel().catch(() => {});
      return failure(
        'REDIRECT_REFUSED',
        `${url.origin} responded with a redirect (${status}), which is never followed: it could carry the key to another host`,
      );
    }
    const bytes = await readBody(response, responseBytes, share);
    return bytes === undefined
      ? failure('RESPONSE_TOO_LARGE', `${url.origin} responded with more than ${responseBytes} bytes`)
      : { kind: 'reply', status, headers, bytes };
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
    const code = codeOf(error);
    if (response !== undefined || LOST.includes(code)) {
      return { kind: 'lost', head: response };
    }
    const reason = PROBLEMS[code]?.replace('$', code) ?? code;
    return failure('UPSTREAM_UNREACHABLE', `The service at ${url.origin} could not be reached: ${reason}`);
  }
};
