import { decodeBody } from '../bytes/decode-body.ts';
import { announcedBytes, readBody } from '../bytes/read-body.ts';
import type { KeyOf } from '../dedupe/key-of.ts';
import { naming } from '../errors/naming.ts';
import type { WebhookError } from '../errors/webhook-error.ts';
import type { EventParser } from '../events/parse-event.ts';
import type { EnqueueStep } from '../queue/enqueue.ts';
import type { HeadersLike } from '../signature/headers.ts';
import { toHeaders } from '../signature/headers.ts';
import type { Verifier } from '../signature/verify.ts';
import type { AfterResponse } from '../timing/after-response.ts';
import { afterResponseOf } from '../timing/after-response.ts';
import type { Handlers } from './handlers.ts';
import type { RunHandlers } from './run-handlers.ts';
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
  readonly parser: EventParser;
  readonly report: Handlers['report'];
  readonly keyOf: KeyOf;
  readonly runHandlers: RunHandlers;
  /** Replaces the handlers. */
  readonly enqueue: EnqueueStep | undefined;
}

/** Creates the steps of a request, one per line: bytes, signature, text, event, dedupe, handlers, response. */
export const createReceive = ({
  maxBodyBytes,
  verify,
  parser,
  report,
  keyOf,
  runHandlers,
  enqueue,
}: ReceiverParts) => {
  const accept = async (
    request: IncomingRequest,
    headers: Headers,
    after: AfterResponse,
  ): Promise<WebhookResponse> => {
    const announced = announcedBytes(headers.get('content-length'), maxBodyBytes);
    const rules = { maxBodyBytes, hint: request.hint, announcedBytes: announced };
    const body = await readBody(request.body, rules);
    const { secretIndex, id } = await verify(body, request.headers);
    const sent = parser.read(decodeBody(body));
    const event = await naming('A schema', () => parser.validate(sent));
    const verified = { ...sent, id, headers, body };
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
    if (enqueue) {
      const waitUntil = (work: unknown) => {
        // Handled at once, because a rejection before the host runs the task would end the process. JavaScript may pass
        // anything, such as a thenable or the result of a function that forgot to return its promise.
        const settled = naming('waitUntil()', async () => void (await work)).catch((error) =>
          report(error, headers),
        );
        after(() => settled);
      };
      await enqueue(verified, {
        waitUntil,
        get signal() {
          return context.signal;
        },
      });
    } else if (!(await runHandlers(event, context, { keyOf: () => keyOf(verified), after }))) {
      return webhookResponse(409, { error: 'STILL_RUNNING' });
    }
    return webhookResponse(200, { ok: true });
  };

  return async (request: IncomingRequest): Promise<WebhookResponse> => {
    if (request.method !== 'POST') {
      return webhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
    }
    const after = afterResponseOf(request.afterResponse);
    // None, until they have been read without an error.
    let headers: Headers | undefined;
    try {
      return await naming('The receiver', () => {
        headers = toHeaders(request.headers);
        return accept(request, headers, after);
      });
    } catch (thrown) {
      const error = thrown as WebhookError;
      after(() => report(error, headers ?? new Headers()));
      return webhookResponse(error.status, { error: error.code });
    }
  };
};
