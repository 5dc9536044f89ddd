// Events are described here and not in the contract: the client never receives one, and the package that does has no
// schema library.

/** The data of a `message.created` event. */
export interface MessageCreated {
  /** The id of the conversation that the message belongs to. */
  conversationId: string;
  /** The channel of the conversation. */
  channel: string;
  /** The text of the message. */
  body: string;
}

/** The body of a delivery that reports a new message. */
export interface MessageCreatedEvent {
  /** The name of the event. */
  event: 'message.created';
  /** The message. */
  data: MessageCreated;
}
