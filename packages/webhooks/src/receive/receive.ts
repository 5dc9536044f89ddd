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

/** A request as an adapter passes it on. */
export interface IncomingRequest {
  /** The HTTP method. Anything but `POST` gets a 405 response. */
  readonly method: string;
  /** All headers of the request. */
  readonly headers: HeadersLike | null | undefined;
  /** Bytes, text, an async iterable of chunks (a stream), or null. Anything else is refused with `BODY_NOT_RAW`. */
  readonly body: unknown;
  /** The signal that handlers receive. */
  readonly signal?: AbortSignal | undefined;
  /** How to get the raw body in this framework; it becomes part of the message of `BODY_NOT_RAW`. */
  readonly hint?: string | undefined;
  /**
   * Schedules work that remains after the response is known: `onError` handlers and slow dedupe stores. The response must
   * not wait for it. The tasks never reject.
   * @default runs each task at once, without waiting for it
   */
  readonly afterResponse?: AfterResponse | undefined;
}

/**
 * The part of a receiver that adapters use.
 *
 * @example
 * ```ts
 * const { status, headers, body } = await webhooks.receive({ method, headers: request.headers, body: request.rawBody });
 * ```
 */
export interface Receiver {
  /** Handles a request and resolves to the response. It never rejects. */
  receive(request: IncomingRequest): Promise<WebhookResponse>;
}

/** The parts of a receiver. */
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
        'A schema, dedupe.key or dedupe.store failed; see the cause. The response is 500, so the sender retries.',
        { cause: error },
      );

/** Creates the steps of a request, one per line: bytes, signature, text, event, dedupe, handlers, response. */
export const createReceive = ({ maxBodyBytes, verify, parse, handlers, runOnce }: ReceiverParts) => {
  const accept = async (request: IncomingRequest, after: AfterResponse): Promise<WebhookResponse> => {
    const announced = announcedBytes(headerValues(request.headers, 'content-length')[0], maxBodyBytes);
    const rules = { maxBodyBytes, hint: request.hint, announcedBytes: announced };
    const body = await readBody(request.body, rules);
    const { secretIndex, id } = await verify(body, request.headers);
    const event = await parse(decodeBody(body));
    if (!handlers.has(event)) {
      return webhookResponse(200, { ok: true });
    }

    const headers = toHeaders(request.headers);
    const context = {
      secretIndex,
      id,
      headers,
      body,
      // A getter, because Deno prints a warning when a request's signal is read.
      get signal() {
        return request.signal ?? new AbortController().signal;
      },
    };
    const run = () => handlers.run(event, context);
    const state = runOnce ? await runOnce({ ...event, headers, body, id }, run, after) : await run();
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
