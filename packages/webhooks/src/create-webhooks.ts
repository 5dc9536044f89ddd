import { hasMethods, typeName } from '@confab/internal';
import type { RawBody } from './body.ts';
import { decodeBody, requireRawBody } from './body.ts';
import { WebhookConfigurationError } from './errors.ts';
import type { EventOf, EventSchemas, KnownEvents, UnknownEvent, WebhookEvent } from './event.ts';
import { parseEvent, validateEvent } from './event.ts';
import type { ErrorHandler, EventHandler, Unsubscribe } from './handlers.ts';
import { addHandler, createHandlers, findHandlers } from './handlers.ts';
import type { HeadersLike } from './headers.ts';
import type { Settings, WebhooksOptions } from './options.ts';
import { resolveSettings } from './options.ts';
import type { Delivery, ProcessOptions } from './queue.ts';
import { processDelivery } from './queue.ts';
import type { AfterResponse, Receiver } from './receive.ts';
import { receive } from './receive.ts';
import type { Verified } from './signature/verify.ts';
import { verify } from './signature/verify.ts';

/** The context object of Workers and other function hosts, which can run work after the response. */
export interface WaitUntil {
  /** Keeps the function alive until the promise settles. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

/** A receiver of webhook deliveries. */
export interface Webhooks<Schemas extends EventSchemas = KnownEvents<Record<never, never>>, Tx = undefined>
  extends Receiver {
  /**
   * Verifies the signature of a body.
   *
   * @param body The bytes or the text exactly as they arrived, never a parsed object.
   * @param headers All headers of the delivery.
   * @throws A {@link WebhookError} when the delivery is refused. `code` is the reason.
   * @throws A {@link WebhookConfigurationError} when a third argument is passed: the secret belongs to
   * `createWebhooks`.
   *
   * @example
   * ```ts
   * const { secretIndex } = await webhooks.verify(body, headers);
   * ```
   */
  verify(body: RawBody, headers: HeadersLike): Promise<Verified>;
  /**
   * Verifies the signature of a body and returns its event, validated and typed by its schema.
   *
   * @param body The bytes or the text exactly as they arrived, never a parsed object.
   * @param headers All headers of the delivery.
   * @throws A {@link WebhookError} when the delivery is refused. `code` is the reason.
   * @throws A {@link WebhookConfigurationError} when a third argument is passed: the secret belongs to
   * `createWebhooks`.
   *
   * @example
   * ```ts
   * const event = await webhooks.unwrap(body, headers);
   * if (event.known) console.log(event.data.conversationId);
   * ```
   */
  unwrap(body: RawBody, headers: HeadersLike): Promise<WebhookEvent<Schemas>>;
  /**
   * Adds a handler for genuine events of one name. An event can have several handlers.
   *
   * @returns A function that removes the handler.
   * @throws A {@link WebhookConfigurationError} when the event has no schema, or the receiver has `enqueue`.
   *
   * @example
   * ```ts
   * const off = webhooks.on('message.created', async ({ data }) => {
   *   console.log(data.conversationId, data.body);
   * });
   * ```
   */
  on<Name extends keyof Schemas & string>(
    event: Name,
    handler: EventHandler<EventOf<Schemas, Name>, Tx>,
  ): Unsubscribe;
  /**
   * Adds a handler for genuine events that have no schema.
   *
   * @returns A function that removes the handler.
   * @throws A {@link WebhookConfigurationError} when the receiver has `enqueue`: add handlers to the worker.
   *
   * @example
   * ```ts
   * webhooks.onUnknown(({ event, data }) => console.log(event, data));
   * ```
   */
  onUnknown(handler: EventHandler<UnknownEvent, Tx>): Unsubscribe;
  /**
   * Adds a handler for all genuine events, with or without a schema.
   *
   * @returns A function that removes the handler.
   * @throws A {@link WebhookConfigurationError} when the receiver has `enqueue`: add handlers to the worker.
   *
   * @example
   * ```ts
   * webhooks.onAny(({ event, known }, { id }) => console.log(id, event, known));
   * ```
   */
  onAny(handler: EventHandler<WebhookEvent<Schemas>, Tx>): Unsubscribe;
  /**
   * Adds a handler for deliveries that the receiver refuses or fails to handle. The response does not wait for the handler,
   * and its return value and exceptions are ignored. Without any such handler, failures with a 500 go to `console.error`.
   *
   * @returns A function that removes the handler.
   *
   * @example
   * ```ts
   * webhooks.onError((error) => console.error(error.code, error.message, error.cause));
   * ```
   */
  onError(handler: ErrorHandler): Unsubscribe;
  /**
   * Runs the handlers of a delivery that `enqueue` put into a queue. Call it in the worker, and let the queue retry the
   * job if the promise rejects. With `dedupe`, the promise of a delivery that was handled before resolves at once. Pass the
   * same `dedupe` to the receiver: without it, redeliveries have random ids, and no worker recognizes them.
   *
   * @param delivery The delivery that `enqueue` received, or its copy from JSON.
   * @throws A {@link WebhookError} when a handler fails (`HANDLER_FAILED`), a schema or the store of `dedupe` fails
   * (`RECEIVER_FAILED`), another worker is running the delivery (`STILL_RUNNING`), or the argument is not a `Delivery` or
   * has data that does not match the schema (`INVALID_EVENT`). Retry a job unless the code is `INVALID_EVENT`.
   * @throws A {@link WebhookConfigurationError} when the receiver has `enqueue`: call `process` on the worker.
   *
   * @example
   * ```ts
   * import type { Delivery } from '@confab/webhooks';
   *
   * const work = (job: { data: Delivery }) => webhooks.process(job.data);
   * ```
   */
  process(delivery: Delivery, options?: ProcessOptions): Promise<void>;
  /**
   * Handles a request and resolves to the response. Pass this function to Hono, Next.js, Workers, Bun or Deno. It works
   * without `this` and never rejects, unless it is called without a `Request`. Express, Fastify and node:http have adapters.
   *
   * @param context An object with `waitUntil()`, which keeps a Worker alive until the `onError` handlers are done, because
   * the response does not wait for them. Workers pass this object as the third argument.
   *
   * @example
   * ```ts
   * export const POST = (request: Request) => webhooks.fetch(request);
   * ```
   */
  fetch(request: Request, context?: WaitUntil): Promise<Response>;
  fetch(request: Request, environment: unknown, context?: WaitUntil): Promise<Response>;
}

const FETCH_HINT = 'Pass the request on before anything reads its body.';

/** Finds `waitUntil()` among the arguments that a host passes after the request; `undefined` if none has it. */
const findAfterResponse = (context: readonly unknown[]): AfterResponse | undefined => {
  const host = context.find((value) => hasMethods(value, 'waitUntil')) as
    | { waitUntil(work: Promise<unknown>): void }
    | undefined;
  // On Workers, waitUntil() throws unless it is called as a method of its object.
  return host && ((task) => host.waitUntil(task()));
};

/** Verifies a delivery whose body has been read, as `verify()` and `unwrap()` are called. */
const verifyRaw = async (body: RawBody, headers: HeadersLike, extra: unknown, settings: Settings) => {
  // Other libraries take the secret here. If it were ignored, a receiver would seem to verify with it.
  if (extra !== undefined) {
    throw new WebhookConfigurationError('Pass the secret to createWebhooks(), not to verify() or unwrap().');
  }
  return verify(requireRawBody(body, settings), headers, settings);
};

/**
 * Creates a receiver of webhook deliveries. Forged, altered and oversized deliveries never reach your code.
 *
 * @throws A {@link WebhookConfigurationError} when an option is invalid or misspelled. An empty secret is invalid.
 *
 * @example
 * ```ts
 * const webhooks = createWebhooks({
 *   secret: process.env.CONFAB_WEBHOOK_SECRET ?? '',
 *   signature: { header: 'x-webhook-signature' },
 * });
 * webhooks.on('message.created', async ({ data }) => {
 *   console.log(data.conversationId, data.body);
 * });
 * export default { fetch: webhooks.fetch };
 * ```
 */
export const createWebhooks = <const Extra extends EventSchemas = Record<never, never>, Tx = undefined>(
  options: WebhooksOptions<Extra, Tx>,
): Webhooks<KnownEvents<Extra>, Tx> => {
  const settings = resolveSettings(options);
  const { schemas } = settings;
  const handlers = createHandlers(schemas.keys());
  const checkWorker = () => {
    if (settings.queue !== undefined) {
      throw new WebhookConfigurationError(
        'A receiver with `enqueue` runs no handlers. Call this method on the worker.',
      );
    }
  };
  const addToWorker: typeof addHandler = (set, handler) => {
    checkWorker();
    return addHandler(set, handler);
  };
  return {
    verify: async (raw, headers, extra?: unknown) => {
      const { secretIndex, id } = await verifyRaw(raw, headers, extra, settings);
      return { secretIndex, id };
    },
    unwrap: async (raw, headers, extra?: unknown) => {
      const { body } = await verifyRaw(raw, headers, extra, settings);
      const event = await validateEvent(parseEvent(decodeBody(body)), schemas);
      return event as WebhookEvent<KnownEvents<Extra>>;
    },
    on: (event, handler) => addToWorker(findHandlers(handlers, event), handler),
    onUnknown: (handler) => addToWorker(handlers.unknown, handler),
    onAny: (handler) => addToWorker(handlers.any, handler),
    onError: (handler) => addHandler(handlers.error, handler),
    process: async (delivery, processOptions) => {
      checkWorker();
      await processDelivery(delivery, processOptions, settings, handlers);
    },
    receive: async (request) => {
      // A request without headers would be refused as unsigned, which would not explain the mistake.
      if (!('headers' in Object(request))) {
        throw new WebhookConfigurationError(
          `receive() must be called with { method, headers, body }, got ${typeName(request)}.`,
        );
      }
      return receive(request, settings, handlers);
    },
    fetch: async (request: Request, ...context: readonly unknown[]) => {
      // If fetch() were mounted in Express, its response would be lost, and the sender would wait forever.
      if (typeof Object(request).headers?.get !== 'function') {
        throw new WebhookConfigurationError(
          'fetch() must be called with a web-standard Request. In Express, node:http and Fastify, mount the adapter of @confab/webhooks/node or /fastify.',
        );
      }
      const response = await receive(
        {
          method: request.method,
          url: request.url,
          headers: request.headers,
          // Some runtimes return null for a body that was read, which would look like an empty body.
          body: request.bodyUsed ? undefined : request.body,
          get signal() {
            return request.signal;
          },
          hint: FETCH_HINT,
          afterResponse: findAfterResponse(context),
        },
        settings,
        handlers,
      );
      return new Response(response.body, response);
    },
  };
};
