import { typeName } from '@confab/internal';
import type { VerifiedDelivery } from './dedupe/delivery-id.ts';
import { toPortableId } from './dedupe/delivery-id.ts';
import type { Inbox } from './dedupe/inbox.ts';
import { toWebhookError, WebhookError } from './errors.ts';
import type { SchemaMap } from './event.ts';
import { isJsonObject, validateEvent } from './event.ts';
import type { Handlers } from './handlers.ts';
import { handleOnce } from './handlers.ts';
import { toHeaders } from './headers.ts';

/**
 * A genuine delivery as plain JSON, for a queue. It contains no secret, and no signature unless `deliveryHeaders` names
 * the header of the signature.
 *
 * @example
 * ```ts
 * import type { Delivery } from '@confab/webhooks';
 *
 * const jobs: Delivery[] = [];
 * const webhooks = createWebhooks({ secret, signature, enqueue: async (delivery) => void jobs.push(delivery) });
 * ```
 */
export interface Delivery {
  /**
   * The id by which `process` recognizes a delivery that was handled before: the signed id, or else the key of the
   * receiver's `dedupe` with the SHA-256 of the body. Without either, the id is a random UUID. `process` then recognizes a
   * job that the queue runs twice, but no redelivery.
   *
   * The id consists of letters, digits, `-` and `_`, and is never an integer, so queues such as BullMQ accept it as the id
   * of a job. A signed id or a key with other characters, or with more than 256, is replaced by its SHA-256.
   */
  readonly id: string;
  /** The name of the event. */
  readonly event: string;
  /** The data of the event as it was sent. `process` validates it again, so schemas may transform it. */
  readonly data: unknown;
  /** When the delivery arrived, as an ISO 8601 date-time in UTC. */
  readonly receivedAt: string;
  /** The headers that the option `deliveryHeaders` names, under lowercase names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The index of the first matching secret in the option `secret`, or 0 if the option is not a list. */
  readonly secretIndex?: number | undefined;
  /** The URL of the request, if the option `secret` is a function. */
  readonly url?: string | undefined;
}

/** The context of a delivery, which `enqueue` receives as its second argument. */
export interface EnqueueContext {
  /**
   * Keeps a Worker alive after the response until the promise settles. On other hosts, the work continues in the
   * background. A rejection is reported to `onError`.
   */
  readonly waitUntil: (work: Promise<unknown>) => void;
  /**
   * Aborts when the sender disconnects before the response, on frameworks that report it. Neither `enqueue` nor a handler
   * has a time limit.
   */
  readonly signal: AbortSignal;
}

/** Puts a delivery into a queue. The response is 2xx once the promise resolves, and 500 if it rejects. */
export type Enqueue = (delivery: Delivery, context: EnqueueContext) => Promise<unknown>;

/** The user's queue. */
export interface Queue {
  readonly enqueue: Enqueue;
  /** The names of the headers that a delivery keeps, in lower case. */
  readonly headers: readonly string[];
}

/** Converts a verified delivery to JSON for the user's queue. Without a key, the delivery gets a random id. */
export const toDelivery = (
  { event, data, headers, secretIndex, url }: VerifiedDelivery & Pick<Delivery, 'secretIndex'>,
  key: string | undefined,
  queue: Queue,
  now: number,
): Delivery => ({
  id: key ?? crypto.randomUUID(),
  event,
  data,
  receivedAt: new Date(now).toISOString(),
  headers: Object.fromEntries([...headers].filter(([name]) => queue.headers.includes(name))),
  secretIndex,
  url,
});

/** Options of `process`. */
export interface ProcessOptions {
  /** The signal that handlers receive. `process` itself ignores it. */
  signal?: AbortSignal | undefined;
}

/** Refuses a job with an invalid part. The code of the error tells workers not to retry the job. */
const refuseJob = (part: string, rule: string, value: unknown): never => {
  const problem = `${part} must be ${rule}, got ${typeName(value)}`;
  throw new WebhookError('INVALID_EVENT', `Pass a parsed Delivery (in BullMQ: job.data): ${problem}.`);
};

/** Checks that a job is a delivery. */
const readDelivery = (job: unknown) => {
  const { id, event, data, headers, secretIndex, url } = isJsonObject(job)
    ? job
    : refuseJob('the payload', 'an object', job);
  return {
    id: typeof id === 'string' && id !== '' ? id : refuseJob('`id`', 'a non-empty string', id),
    event: typeof event === 'string' ? event : refuseJob('`event`', 'a string', event),
    data: isJsonObject(data) ? data : refuseJob('`data`', 'an object', data),
    headers: isJsonObject(headers) ? toHeaders(headers) : refuseJob('`headers`', 'an object', headers),
    secretIndex: secretIndex as number | undefined,
    url: url as string | undefined,
  };
};

/** The length of a key of 256 characters, a dash and a SHA-256 in hex. */
const MAX_ID_LENGTH = 321;

/** Adds the message of the cause to that of the error, because queues such as BullMQ keep nothing else of an error. */
const withCauseText = (error: WebhookError): WebhookError => {
  const { code, cause, message } = error;
  const causes: unknown[] = [Object(cause).errors ?? cause].flat();
  const text = causes.map((each) => Object(each).message ?? each).join('; ');
  const messageWithText = message.replace('; see the cause', () => `: ${text}`);
  return new WebhookError(code, messageWithText, { cause });
};

/**
 * Runs the handlers of a queued delivery: validate, claim, handle.
 *
 * @throws A {@link WebhookError} when the job is not a delivery, a handler fails, or another worker is running the
 * delivery. The message contains the message of the cause.
 */
export const processDelivery = async (
  job: unknown,
  options: ProcessOptions | null | undefined,
  { schemas, dedupe }: { readonly schemas: SchemaMap; readonly dedupe: Inbox | undefined },
  handlers: Handlers,
): Promise<void> => {
  try {
    const delivery = { ...readDelivery(job), signal: options?.signal ?? new AbortController().signal };
    const event = await validateEvent(delivery, schemas);
    await handleOnce(handlers, event, delivery, dedupe, {
      key: () => toPortableId(delivery.id, MAX_ID_LENGTH),
      afterResponse: (report) => void report(),
    });
  } catch (error) {
    throw withCauseText(toWebhookError('The worker', error));
  }
};
