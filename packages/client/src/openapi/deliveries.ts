import type * as z from 'zod/mini';
import type * as events from './events.ts';
import type { ObjectName } from './named-schemas.ts';

/** `MessageCreatedEvent`, …: the schemas of whole bodies in `events.ts`. */
type EventSchemaName = {
  [Key in keyof typeof events]: Key extends `${infer Name}Schema`
    ? z.output<(typeof events)[Key]> extends { event: string }
      ? Name
      : never
    : never;
}[keyof typeof events];

/** The name that an event has in its body, such as `message.created`. */
type EventName<Schema extends EventSchemaName> = z.output<(typeof events)[`${Schema}Schema`]>['event'];

/** What the documents say about the deliveries of one event. */
export interface DeliveredEvent {
  /** The name of the event. */
  readonly name: string;
  /** The name of its operation in both documents. */
  readonly operationId: string;
  /** The event in a few words. */
  readonly summary: string;
  /** When the service delivers it. */
  readonly description: string;
}

/** Each schema of a body needs an entry here, with the name that the schema has for the event. */
const deliveredEvents: {
  readonly [Schema in EventSchemaName]: DeliveredEvent & { readonly name: EventName<Schema> };
} = {
  MessageCreatedEvent: {
    name: 'message.created',
    operationId: 'webhooks.messageCreated',
    summary: 'A message was created',
    description: 'The service sends this to your URL for each new message.',
  },
};

/** The events that the service delivers, with the names of their schemas. */
export const eventList = Object.entries(deliveredEvents) as [
  schema: ObjectName & EventSchemaName,
  event: DeliveredEvent,
][];

/** The rules that apply to the deliveries of all events. */
export const DELIVERY_RULES =
  'The service repeats a delivery with an increasing delay until your server responds with a 2xx status, so the same event may arrive more than once. The example is signed with the secret `example-signing-secret`. Changes of status and new conversations are delivered in the same way; the API does not publish their names.';

/** The media type of a delivery. */
export const DELIVERY_TYPE = 'application/json';

/**
 * The header that carries the signature. The API does not publish its name; this is the one that `@confab/mock` sends.
 */
export const SIGNATURE_HEADER = {
  name: 'X-Webhook-Signature',
  description:
    'The HMAC-SHA256 of the raw body, keyed with the secret of the webhook, in hexadecimal. Verify it before you parse the body. The API does not publish the name of this header; this is the one that @confab/mock sends.',
  pattern: '^[0-9a-f]{64}$',
  // Of the example body in compact JSON, with the secret that DELIVERY_RULES names.
  example: '0291dfd051ad52b80dc6419da5c000724bc1d7a8e6e0eefd2ebfabb32d6c7997',
};

/** The responses of the user's server to a delivery, with their statuses as OpenAPI writes them. */
export const RECEIVER_RESPONSES = [
  { name: 'accepted', status: '2XX', description: 'Your server has accepted the event.' },
  {
    name: 'unauthorized',
    status: '401',
    description: 'The signature is missing or does not match. The service delivers the event again.',
  },
  {
    name: 'failed',
    status: 'default',
    description: 'Your server has not accepted the event. The service delivers it again.',
  },
] as const;
