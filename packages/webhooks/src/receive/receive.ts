import { decodeBody } from '../bytes/decode-body.ts';
import { announcedBytes, readBody } from '../bytes/read-body.ts';
import type { RunOnce } from '../dedupe/run-once.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { EventParser } from '../events/parse-event.ts';
import type { HeadersLike } from '../signature/headers.ts';
import { headerValues, toHeaders } from '../signature/headers.ts';
import type { Verifier } from '../signature/verify.ts';
import type { AfterResponse } from '../timing/after-response.ts';
import { afterResponseOf } from '../timing/after-response.ts';
import type { Handlers } from './handlers.ts';
import type { WebhookResponse } from './webhook-response.ts';
import { webhookResponse } from './webhook-response.ts';

/** A request as an adapter hands it over. */
export interface IncomingRequest {
  readonly method: string;
  readonly headers: HeadersLike | null | undefined;
  /** Bytes, text, an async iterable of chunks (a stream), or null. Anything else is refused as `BODY_NOT_RAW`. */
  readonly body: unknown;
  /** Passed on to the handlers. */
  readonly signal?: AbortSignal | undefined;
  /** How to get the raw body in this framework, for the message of `BODY_NOT_RAW`. */
  readonly hint?: string | undefined;
  /**
   * Takes what is left to do once the response is known: calling `onError`, and a dedupe store that is slow. The
   * response must not wait for it. A task never rejects.
   * @default runs it at once, and waits for nothing
   */
  readonly afterResponse?: AfterResponse | undefined;
}

/**
 * What an adapter needs of a receiver.
 *
 * @example
 * ```ts
 * const { status, headers, body } = await webhooks.receive({ method, headers: request.headers, body: request.rawBody });
 * ```
 */
export interface Receiver {
  /** Takes a request through the whole way, and does not reject. */
  receive(request: IncomingRequest): Promise<WebhookResponse>;
}

/** What the receiver is put together from. */
export interface ReceiverParts {
  readonly maxBodyBytes: number;
  readonly verify: Verifier;
  readonly parse: EventParser['parse'];
  readonly handlers: Handlers;
  readonly runOnce: RunOnce | undefined;
}

const asWebhookError = (error: unknown): WebhookError =>
  error instanceof WebhookError
    ? error
    : new WebhookError(
        'HANDLER_FAILED',
        'A schema, dedupe.key or dedupe.store failed; see the cause. The response is 500, so that the sender delivers it again.',
        { cause: error },
      );

/** Builds the whole way of a request, a step a line: bytes, signature, text, event, dedupe, handlers, response. */
export const createReceive = ({ maxBodyBytes, verify, parse, handlers, runOnce }: ReceiverParts) => {
  const accept = async (request: IncomingRequest, after: AfterResponse): Promise<WebhookResponse> => {
    const announced = announcedBytes(headerValues(request.headers, 'content-length')[0], maxBodyBytes);
    const rules = { maxBodyBytes, hint: request.hint, announcedBytes: announced };
    const body = await readBody(request.body, rules);
    const { secretIndex } = await verify(body, request.headers);
    const event = await parse(decodeBody(body));
    if (!handlers.has(event)) {
      return webhookResponse(200, { ok: true });
    }

    const headers = toHeaders(request.headers);
    const context = {
      secretIndex,
      headers,
      body,
      // Only when asked for: reading a request's signal makes Deno warn.
      get signal() {
        return request.signal ?? new AbortController().signal;
      },
    };
    const run = () => handlers.run(event, context);
    const state = runOnce ? await runOnce({ ...event, headers, body }, run, after) : await run();
    return state === 'running'
      ? webhookResponse(409, { error: 'STILL_RUNNING' })
      : webhookResponse(200, { ok: true });
  };

  return async (request: IncomingRequest): Promise<WebhookResponse> => {
    if (request.method !== 'POST') {
      return webhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    const after = afterResponseOf(request.afterResponse);
    try {
      return await accept(request, after);
    } catch (thrown) {
      const error = asWebhookError(thrown);
      after(() => handlers.report(error, toHeaders(request.headers)));
      return webhookResponse(error.status, { error: error.code });
    }
  };
};
