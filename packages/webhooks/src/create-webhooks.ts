import { decodeBody } from './bytes/decode-body.ts';
import { rawBody } from './bytes/raw-body.ts';
import type { RawBody } from './bytes/to-bytes.ts';
import { dedupeRules } from './dedupe/dedupe-options.ts';
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
import type { ErrorHandler, EventHandler, Unsubscribe } from './receive/handlers.ts';
import { createHandlers } from './receive/handlers.ts';
import type { Receiver } from './receive/receive.ts';
import { createReceive } from './receive/receive.ts';
import type { HeadersLike } from './signature/headers.ts';
import type { Hmac } from './signature/hmac.ts';
import { platformHmac } from './signature/platform-hmac.ts';
import { secretList } from './signature/secret-list.ts';
import { signatureScheme } from './signature/signature-options.ts';
import type { Verified } from './signature/verify.ts';
import { createVerifier } from './signature/verify.ts';
import type { WaitUntil } from './timing/after-response.ts';
import { afterResponseIn } from './timing/after-response.ts';
import type { WebhooksOptions } from './webhooks-options.ts';
import { bodyLimit, clockOf, OPTION_NAMES } from './webhooks-options.ts';

/** A receiver of deliveries. */
export interface Webhooks<Schemas extends EventSchemas = KnownEvents<Record<never, never>>> extends Receiver {
  /**
   * Checks the signature of a body.
   *
   * @param body Exactly what arrived: bytes or text, never a parsed object.
   * @throws {@link WebhookError} with the reason in `code`.
   */
  verify(body: RawBody, headers: HeadersLike): Promise<Verified>;
  /**
   * Checks the signature of a body, and gives its event, typed and checked by its schema.
   *
   * @throws {@link WebhookError} with the reason in `code`.
   */
  unwrap(body: RawBody, headers: HeadersLike): Promise<WebhookEvent<Schemas>>;
  /**
   * Runs a handler on every genuine event of one name. Several may be given.
   *
   * @returns A function that takes the handler out again.
   * @throws {@link WebhookConfigurationError} if no schema has this name.
   */
  on<Name extends keyof Schemas & string>(
    event: Name,
    handler: EventHandler<EventOf<Schemas, Name>>,
  ): Unsubscribe;
  /** Runs a handler on every genuine event that no schema names. */
  onUnknown(handler: EventHandler<UnknownEvent>): Unsubscribe;
  /**
   * Tells a handler of every delivery that `fetch` or `receive` refuses or fails on. The response does not wait for
   * it, and what it throws is ignored.
   */
  onError(handler: ErrorHandler): Unsubscribe;
  /**
   * A whole receiver: give it to Hono, Next, Workers, Bun or Deno. It needs no `this` and does not reject.
   *
   * @param context An object with `waitUntil()`, which keeps a Worker alive until `onError` handlers have ended: the
   * response does not wait for them. Workers pass it as third argument.
   */
  fetch(request: Request, context?: WaitUntil): Promise<Response>;
  fetch(request: Request, environment: unknown, context?: WaitUntil): Promise<Response>;
}

const FETCH_HINT = 'Hand over the request before anything calls its json(), text() or arrayBuffer().';

/** `createWebhooks` with a given implementation of HMAC. */
export const createWebhooksWith = <Extra extends EventSchemas>(
  hmac: Hmac,
  options: WebhooksOptions<Extra>,
): Webhooks<KnownEvents<Extra>> => {
  type Schemas = KnownEvents<Extra>;
  checkNames('option of createWebhooks', options, OPTION_NAMES);
  const { dedupe } = options;
  const now = clockOf(options.now);
  const maxBodyBytes = bodyLimit(options.maxBodyBytes);
  const verify = createVerifier({
    hmac,
    secrets: secretList(options.secret),
    scheme: signatureScheme(options.signature, checkNames),
    now,
  });
  const parser = createEventParser(options.events ?? {});
  const handlers = createHandlers();
  const runOnce = dedupe === undefined ? undefined : createRunOnce(dedupeRules(dedupe, now), handlers.report);
  const receive = createReceive({ maxBodyBytes, verify, parse: parser.parse, handlers, runOnce });

  return {
    verify: async (body, headers) => verify(rawBody(body, { maxBodyBytes }), headers),
    unwrap: async (body, headers) => {
      const raw = rawBody(body, { maxBodyBytes });
      await verify(raw, headers);
      return (await parser.parse(decodeBody(raw))) as WebhookEvent<Schemas>;
    },
    on: (event, handler) => {
      if (!parser.knows(event)) {
        throw new WebhookConfigurationError(
          `No schema has the name ${JSON.stringify(event)}. Give it one in events, or use onUnknown.`,
        );
      }
      return handlers.add(event, handler);
    },
    onUnknown: handlers.addUnknown,
    onError: handlers.addError,
    receive,
    fetch: async (request: Request, ...context: readonly unknown[]) => {
      const { body, ...init } = await receive({
        method: request.method,
        headers: request.headers,
        // Some runtimes give null for a body that was used, which would pass for an empty one.
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
 * Builds a receiver of webhook deliveries: what is forged, altered or oversized never reaches your code.
 *
 * @throws {@link WebhookConfigurationError} If an option is invalid or misspelled, such as an empty secret.
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
