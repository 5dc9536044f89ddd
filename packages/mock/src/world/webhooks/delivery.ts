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
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly data: unknown;
  /** What was posted, byte for byte. */
  readonly body: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: readonly Attempt[];
}

/**
 * A change of the status of a lead. No operation changes that of a conversation; `webhooks.emit` tells of it.
 */
export interface StatusChange {
  readonly resource: 'lead';
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Names for the events that the API mentions without naming them; those without a name are not sent. */
export interface EventNames {
  readonly newConversation?: string;
  readonly statusChange?: string;
}
