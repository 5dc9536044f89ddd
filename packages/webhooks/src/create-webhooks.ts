import { unknownNames } from '@confab/internal';
import { decodeBody } from './bytes/decode-body.ts';
import { rawBody } from './bytes/raw-body.ts';
import type { RawBody } from './bytes/to-bytes.ts';
import { dedupeRules } from './dedupe/dedupe-options.ts';
import { createKeyOf } from './dedupe/key-of.ts';
import { createRunOnce } from './dedupe/run-once.ts';
import { WebhookConfigurationError } from './errors/webhook-configuration-error.ts';
import { createEventParser } from './events/parse-event.ts';
import type {
  EventOf,
  EventSchemas,
  KnownEvents,
  UnknownEvent,
  WebhookEvent,
} from './events/webhook-event.ts';
import { checkNames } from './options/check-names.ts';
import { functionOf, positiveInteger } from './options/check-values.ts';
import type { Delivery } from './queue/delivery.ts';
import { createEnqueue } from './queue/enqueue.ts';
import type { ErrorHandler, EventHandler, Unsubscribe } from './receive/handlers.ts';
import { createHandlers } from './receive/handlers.ts';
import type { ProcessOptions } from './receive/process.ts';
import { createProcess } from './receive/process.ts';
import type { Receiver } from './receive/receive.ts';
import { createReceive } from './receive/receive.ts';
import { createRunHandlers } from './receive/run-handlers.ts';
import type { HeadersLike } from './signature/headers.ts';
import type { Hmac } from './signature/hmac.ts';
import { plainReader } from './signature/plain-reader.ts';
import { platformHmac } from './signature/platform-hmac.ts';
import { secretList } from './signature/secret-list.ts';
import { plainScheme } from './signature/signature-options.ts';
import { isScheme } from './signature/signature-scheme.ts';
import type { Verified } from './signature/verify.ts';
import { createVerifier } from './signature/verify.ts';
import type { WaitUntil } from './timing/after-response.ts';
import { afterResponseIn } from './timing/after-response.ts';
import { whenHere } from './timing/when-here.ts';
import type { WebhooksOptions } from './webhooks-options.ts';
import { MIB, OPTION_NAMES } from './webhooks-options.ts';

/** A receiver of webhook deliveries. */
export interface Webhooks<Schemas extends EventSchemas = KnownEvents<Record<never, never>>> extends Receiver {
  /**
   * Verifies the signature of a body.
   *
   * @param body The bytes or the text exactly as they arrived, never a parsed object.
   * @throws {@link WebhookError} When the delivery is refused. `code` is the reason.
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
   * @throws {@link WebhookError} When the delivery is refused. `code` is the reason.
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
   * @throws {@link WebhookConfigurationError} When the event has no schema, or the receiver has `enqueue`.
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
    handler: EventHandler<EventOf<Schemas, Name>>,
  ): Unsubscribe;
  /**
   * Adds a handler for genuine events that have no schema.
   *
   * @returns A function that removes the handler.
   * @throws {@link WebhookConfigurationError} When the receiver has `enqueue`: add handlers to the worker.
   *
   * @example
   * ```ts
   * webhooks.onUnknown(({ event, data }) => console.log(event, data));
   * ```
   */
  onUnknown(handler: EventHandler<UnknownEvent>): Unsubscribe;
  /**
   * Adds a handler for all genuine events, with or without a schema.
   *
   * @returns A function that removes the handler.
   * @throws {@link WebhookConfigurationError} When the receiver has `enqueue`: add handlers to the worker.
   *
   * @example
   * ```ts
   * webhooks.onAny(({ event, known }, { id }) => console.log(id, event, known));
   * ```
   */
  onAny(handler: EventHandler<WebhookEvent<Schemas>>): Unsubscribe;
  /**
   * Adds a handler for deliveries that `fetch` or `receive` refuse or fail on. The response does not wait for it. Return
   * values and exceptions are ignored.
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
   * job if it rejects. With `dedupe`, a delivery that was handled already resolves at once.
   *
   * @throws {@link WebhookError} When a handler fails (`HANDLER_FAILED`), when another worker is running the delivery
   * (`STILL_RUNNING`), or when the argument is not a `Delivery` or its data does not match the schema (`INVALID_EVENT`). Retry a job unless the code
   * is `INVALID_EVENT`.
   * @throws {@link WebhookConfigurationError} When the receiver has `enqueue`: call `process` on the worker.
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
   * Handles a request and resolves to the response. Pass it to Hono, Next, Workers, Bun or Deno. It works without `this`
   * and never rejects.
   *
   * @param context An object with `waitUntil()`, which keeps a Worker alive until the `onError` handlers are done, because
   * the response does not wait for them. Workers pass it as the third argument.
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

/** `createWebhooks` with a specific implementation of HMAC. */
export const createWebhooksWith = <Extra extends EventSchemas>(
  hmac: Hmac,
  options: WebhooksOptions<Extra>,
): Webhooks<KnownEvents<Extra>> => {
  type Schemas = KnownEvents<Extra>;
  checkNames('option of createWebhooks', options, OPTION_NAMES);
  const { dedupe, signature, enqueue, deliveryHeaders } = options;
  const now = functionOf(options.now ?? Date.now, 'now');
  const maxBodyBytes = positiveInteger(options.maxBodyBytes ?? MIB, 'maxBodyBytes');
  const scheme = isScheme(signature) ? signature : plainReader(plainScheme(signature, checkNames));
  const secrets = secretList(options.secret, scheme.key);
  const verify = createVerifier(hmac, secrets, scheme, now);
  const parser = createEventParser(options.events ?? {});
  const refuseWithEnqueue = () => {
    if (enqueue) {
      throw new WebhookConfigurationError('This receiver has `enqueue`: do this on the worker.');
    }
  };
  const handlers = createHandlers(refuseWithEnqueue);
  const rules = dedupe === undefined ? undefined : dedupeRules(dedupe, now, scheme.signsId);
  const keyOf = createKeyOf(rules);
  const step = enqueue === undefined ? undefined : createEnqueue(enqueue, deliveryHeaders, keyOf, now);
  const { report } = handlers;
  const runHandlers = createRunHandlers(handlers, rules && createRunOnce(rules, report));
  const receive = createReceive({ maxBodyBytes, verify, parser, report, keyOf, runHandlers, enqueue: step });

  return {
    verify: async (body, headers) => verify(rawBody(body, { maxBodyBytes }), headers),
    unwrap: async (body, headers) => {
      const raw = rawBody(body, { maxBodyBytes });
      return whenHere(verify(raw, headers), () => parser.validate(parser.read(decodeBody(raw)))) as Promise<
        WebhookEvent<Schemas>
      >;
    },
    on: (event, handler) => {
      const problem = unknownNames('event', { [event]: handler }, parser.names);
      if (problem !== undefined) {
        throw new WebhookConfigurationError(`${problem} Add a schema to events, or use onUnknown.`);
      }
      return handlers.add(event, handler);
    },
    onUnknown: handlers.addUnknown,
    onAny: handlers.addAny,
    onError: handlers.addError,
    process: createProcess(parser, runHandlers, refuseWithEnqueue),
    receive,
    fetch: async (request: Request, ...context: readonly unknown[]) => {
      const { body, ...init } = await receive({
        method: request.method,
        headers: request.headers,
        // Some runtimes return null for a used body, which would look like an empty one.
        body: request.bodyUsed ? undefined : request.body,
        get signal() {
          return request.signal;
        },
        hint: FETCH_HINT,
        afterResponse: afterResponseIn(context),
      });
      return new Response(body, init);
    },
  };
};

/**
 * Creates a receiver of webhook deliveries. Forged, altered and oversized deliveries never reach your code.
 *
 * @throws {@link WebhookConfigurationError} When an option is invalid or misspelled. An empty secret is invalid.
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
export const createWebhooks = <const Extra extends EventSchemas = Record<never, never>>(
  options: WebhooksOptions<Extra>,
): Webhooks<KnownEvents<Extra>> => createWebhooksWith(platformHmac(), options);
