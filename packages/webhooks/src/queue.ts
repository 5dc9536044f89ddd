import { checkThat, typeName } from '@confab/internal';
import type { VerifiedDelivery } from './dedupe/delivery-id.ts';
import { toPortableId } from './dedupe/delivery-id.ts';
import type { Inbox } from './dedupe/inbox.ts';
import { toWebhookError, WebhookError } from './errors.ts';
import type { SchemaMap } from './event.ts';
import { isJsonObject, validateEvent } from './event.ts';
import type { Handlers } from './handlers.ts';
import { handleOnce } from './handlers.ts';
import { toHeaders } from './headers.ts';
import type { Check } from './option-checks.ts';
import { isHeaderName } from './option-checks.ts';

/**
 * A genuine delivery as plain JSON, for a queue. It holds no secret, and no signature unless
 * `deliveryHeaders` names its header.
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
   * The id by which `process` recognizes a delivery that it has handled: the signed id, or else the key of `dedupe` with
   * the SHA-256 of the body. Without either it is a random UUID, which only recognizes a job that the queue runs twice.
   *
   * It consists of letters, digits, `-` and `_`, and is never an integer, so queues such as BullMQ accept it as the id
   * of a job. A signed id or a key of another form, or of more than 256 characters, is replaced by its SHA-256.
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
  /** The index of the first secret that matches in the `secret` option, or 0 if the option is a single secret. */
  readonly secretIndex?: number | undefined;
  /** The URL of the request, if the option `secret` is a function. */
  readonly url?: string | undefined;
}

/** What `enqueue` receives in addition to the delivery. */
export interface EnqueueContext {
  /**
   * Keeps a Worker alive until the promise settles, after the response was sent. On other hosts the work continues in the
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

/** For a list of names of headers. */
export const isHeaderList: Check = (name, value) =>
  checkThat(Array.isArray, 'a list')(name, value) ??
  (value as unknown[]).map((header, index) => isHeaderName(`${name}[${index}]`, header)).find(Boolean);

/** Turns a verified delivery into JSON for the user's queue. Without a key, it gets a random id. */
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
  /** The signal that handlers receive. Nothing else depends on it. */
  signal?: AbortSignal | undefined;
}

/** Refuses a part of a job for good, because no retry can help. */
const refuseJob = (part: string, rule: string, given: unknown): never => {
  const problem = `${part} must be ${rule}, got ${typeName(given)}`;
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

/** A key, a dash and a hash. */
const MAX_ID_LENGTH = 321;

/** Repeats the text of the cause, because queues such as BullMQ keep the message of an error and nothing else. */
const withCauseText = (error: WebhookError): WebhookError => {
  const { code, cause, message } = error;
  const causes: unknown[] = [Object(cause).errors ?? cause].flat();
  const text = causes.map((each) => Object(each).message ?? each).join('; ');
  return new WebhookError(
    code,
    message.replace('; see the cause', () => `: ${text}`),
    { cause },
  );
};

/**
 * Runs the handlers of a queued delivery: validate, claim, handle.
 *
 * @throws {@link WebhookError} When the job is not a delivery, a handler fails, or another worker is running it. The message
 * contains that of the cause.
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
