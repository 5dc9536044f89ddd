import type { OpenEnum } from './open-enum.ts';

/** Who wrote a message. */
export type SenderType = 'lead' | 'ai' | 'human';

/** Whether the lead sent a message or received it. */
export type MessageDirection = 'inbound' | 'outbound';

/** A message of a conversation. */
export interface Message {
  /** The id of the message, a UUID. */
  id: string;
  /** The id of the conversation that the message belongs to, a UUID. */
  conversationId: string;
  /** Who wrote the message. New values may be added. */
  senderType: OpenEnum<SenderType>;
  /** Whether the lead sent the message or received it. New values may be added. */
  direction: OpenEnum<MessageDirection>;
  /** The kind of message. The API does not publish the kinds. */
  messageType: string;
  /** The text of the message; `null` for a message without text. */
  content: string | null;
  /** When the message was written, as an RFC 3339 date-time. */
  createdAt: string;
}

/** The body that sends a message. */
export interface MessageSend {
  /** The text to send, of at most 4096 characters (Unicode code points). */
  content: string;
}
