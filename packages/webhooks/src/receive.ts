import { decodeBody, readBody } from './body.ts';
import { createDeliveryId } from './dedupe/delivery-id.ts';
import { runUserCode, toWebhookError } from './errors.ts';
import { parseEvent, validateEvent } from './event.ts';
import type { Handlers } from './handlers.ts';
import { handleOnce, reportError } from './handlers.ts';
import type { HeadersLike } from './headers.ts';
import { toHeaders } from './headers.ts';
import type { Settings } from './options.ts';
import type { EnqueueContext } from './queue.ts';
import { toDelivery } from './queue.ts';
import { verify } from './signature/verify.ts';

/** Schedules a task that must not delay the response. The task never rejects. */
export type AfterResponse = (task: () => Promise<void>) => void;

/** A request as an adapter passes it on. */
export interface IncomingRequest {
  /** The HTTP method. Anything but `POST` gets a 405 response. */
  readonly method: string;
  /** All headers of the request. */
  readonly headers: HeadersLike | null | undefined;
  /** Bytes, text, an async iterable of chunks (a stream), or null. Anything else is refused with `BODY_NOT_RAW`. */
  readonly body: unknown;
  /** The URL, absolute or without its origin, for a `secret` that depends on it. */
  readonly url?: string | undefined;
  /** The signal that handlers receive. */
  readonly signal?: AbortSignal | undefined;
  /** Says how to get the raw body in this framework, for the message of `BODY_NOT_RAW`. */
  readonly hint?: string | undefined;
  /**
   * Schedules a task that must not delay the response, such as the `onError` handlers. The task never rejects.
   * @default runs each task at once, without waiting for its end
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
  /** Handles a request and resolves to the response. It never rejects, unless it is called without headers. */
  receive(request: IncomingRequest): Promise<WebhookResponse>;
}

/** The response to a delivery. */
export interface WebhookResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, a JSON text. */
  readonly body: string;
}

/** Builds a response. Its body contains only a code, so an attacker learns nothing; `onError` receives the details. */
export const createWebhookResponse = (
  status: number,
  body: { ok: true } | { error: string },
  headers: Record<string, string> = {},
): WebhookResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Schedules a task with `afterResponse`. If that is missing or throws, the task runs at once. */
const runAfterResponse = (
  { afterResponse = (run) => void run() }: IncomingRequest,
  task: () => Promise<void>,
): void => {
  let work: Promise<void> | undefined;
  // A host may start the task and fail afterward, such as a waitUntil() that throws. The task must not run twice.
  const once = () => (work ??= task());
  try {
    afterResponse(once);
  } catch {
    // A host may refuse further work once the request has ended. Without this, an error report would be lost.
    void once();
  }
};

/** Creates the `waitUntil()` of `enqueue`, which keeps the host alive for work after the response. */
const createWaitUntil =
  (request: IncomingRequest, headers: Headers, handlers: Handlers): EnqueueContext['waitUntil'] =>
  (work: unknown) => {
    // A rejection is handled at once, because it would end the process if it came before the host runs the task. `work` may
    // be anything in JavaScript, such as a thenable, or undefined from a function that forgot to return its promise.
    const settled = runUserCode('waitUntil()', async () => void (await work)).catch((error) =>
      reportError(handlers, error, headers),
    );
    runAfterResponse(request, () => settled);
  };

/** Handles a request: the steps of a delivery, in their order. It never rejects. */
export const receive = async (
  request: IncomingRequest,
  settings: Settings,
  handlers: Handlers,
): Promise<WebhookResponse> => {
  if (request.method !== 'POST') {
    return createWebhookResponse(405, { error: 'METHOD_NOT_ALLOWED' }, { allow: 'POST' });
  }
  const { maxBodyBytes, schemas, dedupe, queue } = settings;
  let headers = new Headers();
  try {
    headers = toHeaders(request.headers);
    const contentLength = headers.get('content-length');
    const received = await readBody(request.body, { maxBodyBytes, contentLength, hint: request.hint });
    // verify() gets the headers as they arrived, because `Headers` joins repeated ones and could hide a second signature.
    const { tenant, ...verified } = await verify(received, request.headers, settings, request.url);
    const sent = parseEvent(decodeBody(verified.body));
    const event = await validateEvent(sent, schemas);

    const delivery = {
      ...sent,
      ...verified,
      headers,
      url: tenant && request.url,
      // A getter, because Deno prints a warning when a request's signal is read.
      get signal() {
        return request.signal ?? new AbortController().signal;
      },
    };
    const key = () => createDeliveryId(delivery, dedupe?.key, tenant);
    if (queue !== undefined) {
      const job = toDelivery(delivery, await key(), queue, settings.now());
      const enqueueContext = {
        waitUntil: createWaitUntil(request, headers, handlers),
        get signal() {
          return delivery.signal;
        },
      };
      await runUserCode('enqueue', () => queue.enqueue(job, enqueueContext));
    } else {
      await handleOnce(handlers, event, delivery, dedupe, {
        key,
        afterResponse: (report) => runAfterResponse(request, report),
      });
    }
    return createWebhookResponse(200, { ok: true });
  } catch (cause) {
    const error = toWebhookError('The receiver', cause);
    // A delivery that is still running is not reported: the sender delivers again, so nothing is wrong.
    if (error.code !== 'STILL_RUNNING') {
      runAfterResponse(request, () => reportError(handlers, error, headers));
    }
    return createWebhookResponse(error.status, { error: error.code });
  }
};
