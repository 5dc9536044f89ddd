/** One attempt to deliver. */
export interface Attempt {
  /** Milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** Status of the answer; `undefined` if none came. */
  readonly status: number | undefined;
  /** Why none came. */
  readonly error: string | undefined;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  /** The id of the delivery, a UUID. */
  readonly id: string;
  /** The URL of the endpoint. */
  readonly url: string;
  /** The name of the event. */
  readonly event: string;
  /** The data of the event. */
  readonly data: unknown;
  /** What was posted, byte for byte. */
  readonly body: string;
  /** Whether the delivery was accepted, is waiting for an attempt, or has failed for good. */
  readonly state: 'pending' | 'delivered' | 'failed';
  /** The attempts so far, oldest first. */
  readonly attempts: readonly Attempt[];
}

/**
 * A change of the status of a lead. No operation changes that of a conversation; `webhooks.emit` tells of it.
 */
export interface StatusChange {
  /** The kind of row that changed. */
  readonly resource: 'lead';
  /** The id of the row. */
  readonly id: string;
  /** The status before the change. */
  readonly from: string;
  /** The status after the change. */
  readonly to: string;
}

/** Names for the events that the API mentions without naming them; those without a name are not sent. */
export interface EventNames {
  /** The name of the event for a new conversation. */
  readonly newConversation?: string;
  /** The name of the event for a changed status. */
  readonly statusChange?: string;
}
