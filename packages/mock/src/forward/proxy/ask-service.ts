import { createGrowingBuffer } from '@confab/internal';
import { Refusal } from '../../errors/refusal.ts';
import type { Share } from '../../server/limits.ts';
import type { Outcome, ProxyFailure } from '../exchange.ts';
import { certificateProblem } from './certificate-problem.ts';

/** Milliseconds for a response: more than the client gives an agent. */
const TIMEOUT = 150_000;

/** As many bytes as the client reads. */
const MAX_RESPONSE_BYTES = 10 * 1024 * 1024;

/** Limits that tests lower. */
export interface ForwardLimits {
  readonly timeout: number;
  readonly responseBytes: number;
}

const LIMITS: ForwardLimits = { timeout: TIMEOUT, responseBytes: MAX_RESPONSE_BYTES };

interface Ask {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  readonly share: Pick<Share, 'take'>;
  readonly limits?: Partial<ForwardLimits> | undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** The connection was made, and then lost. */
const LOST: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

const codeOf = (error: unknown): unknown => {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? (Reflect.get(cause, 'code') ?? cause.message) : undefined;
};

const failure = (
  status: ProxyFailure['status'],
  code: ProxyFailure['code'],
  message: string,
): ProxyFailure => ({
  kind: 'failure',
  status,
  code,
  message,
});

const readBody = async (
  body: ReadableStream<Uint8Array>,
  limit: number,
  share: Pick<Share, 'take'>,
): Promise<Uint8Array | undefined> => {
  const buffer = createGrowingBuffer(limit);
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!buffer.append(next.value)) {
        return undefined;
      }
      share.take(next.value.length);
    }
    return buffer.bytes();
  } finally {
    // Without effect after the end; otherwise the service may go on forever.
    reader.cancel().catch(() => {});
  }
};

/**
 * Sends a request to the service, and reads the response. Redirects are not followed, because they could carry the key to
 * another host.
 *
 * @throws {@link Refusal} 503, when all bodies together take too many bytes.
 * @throws The signal's reason, when the caller goes away.
 */
export const askService = async (ask: Ask): Promise<Outcome> => {
  const { url, method, headers, body, share, signal } = ask;
  const { timeout, responseBytes } = { ...LIMITS, ...ask.limits };
  const late = AbortSignal.timeout(timeout);
  let response: Response | undefined;
  try {
    response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.any([late, signal]),
    });
    const { status } = response;
    if (REDIRECTS.includes(status)) {
      response.body?.cancel().catch(() => {});
      return failure(
        502,
        'REDIRECT_REFUSED',
        `${url.origin} responded with a redirect (${status}), which is never followed: it could carry the key to another host`,
      );
    }
    const bytes =
      response.body === null ? new Uint8Array() : await readBody(response.body, responseBytes, share);
    return bytes === undefined
      ? failure(502, 'RESPONSE_TOO_LARGE', `${url.origin} responded with more than ${responseBytes} bytes`)
      : { kind: 'reply', status, headers: response.headers, bytes };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Refusal) {
      throw error;
    }
    if (late.aborted) {
      return failure(
        504,
        'UPSTREAM_TIMEOUT',
        `The service at ${url.origin} sent no response within ${timeout} ms`,
      );
    }
    const code = codeOf(error);
    if (response !== undefined) {
      return { kind: 'lost', network: 'truncate', head: response };
    }
    return LOST.includes(code)
      ? { kind: 'lost', network: 'error' }
      : failure(
          502,
          'UPSTREAM_UNREACHABLE',
          `The service at ${url.origin} could not be reached: ${certificateProblem(code) ?? String(code ?? error)}`,
        );
  }
};
