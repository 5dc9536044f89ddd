import { ConversationSchema } from '@confab/client/contract';
import { closestName } from '@confab/internal';
import type { MessageCreated } from '@confab/webhooks';
import type { Check } from '../../errors/check.ts';
import { isText } from '../../errors/check.ts';
import type { DeliveryFault } from './delivery-faults.ts';
import type { AddedEndpoint } from './endpoints.ts';

/** One attempt to deliver an event. */
export interface Attempt {
  /** When the attempt began, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** How long the attempt took, in milliseconds on the mock's clock. */
  readonly durationMs: number;
  /** The status of the response; `undefined` if there was no response. */
  readonly status: number | undefined;
  /** The headers of the signature, as they were sent; empty if the attempt ended before the body was signed. */
  readonly signature: Readonly<Record<string, string>>;
  /** Why there was no response; `undefined` if there was one. */
  readonly error: string | undefined;
  /** The start of the body of a response other than 2xx, at most 200 bytes; `undefined` if it had none. */
  readonly refusal: string | undefined;
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  /** A UUID. */
  readonly id: string;
  /** The id of the endpoint, as `webhooks.add()` returned it. */
  readonly endpointId: string;
  /** The URL of the endpoint. */
  readonly url: string;
  /** The id of the event for schemes that sign one. All deliveries of an event have the same one. */
  readonly messageId: string;
  /** The name of the event. */
  readonly event: string;
  /** The data of the event. */
  readonly data: unknown;
  /** The posted body, byte for byte. */
  readonly body: string;
  /** `'delivered'` after a 2xx response, `'failed'` after the last attempt or when it was abandoned. */
  readonly state: 'pending' | 'delivered' | 'failed';
  /** The planned fault that was applied to the delivery, if any. */
  readonly fault: DeliveryFault | undefined;
  /** All attempts so far, oldest first. */
  readonly attempts: readonly Attempt[];
}

/** A delivery, with its endpoint and the time of its next attempt. */
export interface ScheduledDelivery {
  readonly delivery: Delivery;
  readonly endpoint: AddedEndpoint;
  /** The time of the next attempt while the delivery is pending, in milliseconds since 1970. */
  readonly dueAt: number;
}

/**
 * The data of the event for a changed status of a lead. No operation changes the status of a conversation, so the mock
 * sends no event for it; use `webhooks.emit`.
 */
export interface StatusChange {
  /** The kind of row whose status changed. */
  readonly resource: 'lead';
  /** The id of the lead. */
  readonly id: string;
  /** The status before. */
  readonly from: string;
  /** The status now. */
  readonly to: string;
}

/** Names for the events that the API mentions without naming them. Events without a name are not sent. */
export interface EventNames {
  /** The name of the event for a new conversation. */
  readonly newConversation?: string | undefined;
  /** The name of the event for a changed status of a lead. */
  readonly statusChange?: string | undefined;
}

/** The most edits by which a misspelled `message.created` differs from it. Names of other events differ by more. */
const MAX_EDITS = 2;

/** Returns the known event that a misspelled one probably stands for. */
export const closestEvent = (event: string, known: readonly string[]): string | undefined =>
  closestName(event, known, MAX_EDITS);

/** Returns a check that refuses misspellings of `message.created`, except the names in the options. */
export const eventNameCheck =
  ({ newConversation, statusChange }: EventNames): Check =>
  (name, event) => {
    const known = ['message.created', newConversation, statusChange];
    const isMisspelled = (text: string) =>
      !known.includes(text) && closestEvent(text, ['message.created']) !== undefined;
    return (
      isText(name, event) ??
      (isMisspelled(String(event))
        ? `The API documents no event ${JSON.stringify(event)}. Did you mean "message.created"?`
        : undefined)
    );
  };

/** The fields of the events that a mock sends by itself, by the name of the event. */
export const fieldsByEvent = ({ newConversation, statusChange }: EventNames) =>
  new Map<string | undefined, readonly string[]>([
    [newConversation, Object.keys(ConversationSchema.shape)],
    [statusChange, ['resource', 'id', 'from', 'to'] satisfies (keyof StatusChange)[]],
    ['message.created', ['conversationId', 'channel', 'body'] satisfies (keyof MessageCreated)[]],
  ]);
