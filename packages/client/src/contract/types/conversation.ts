import type { Message } from './message.ts';
import type { OpenEnum } from './open-enum.ts';
import type { PagingQuery } from './paging.ts';

/** Whether a conversation needs attention. */
export type ConversationStatus = 'open' | 'snoozed' | 'resolved';

/** How urgent a conversation is. */
export type ConversationPriority = 'low' | 'medium' | 'high' | 'urgent';

/** A conversation, as lists show it. */
export interface Conversation {
  /** The id of the conversation, a UUID. */
  id: string;
  /** The id of the pipeline that the conversation belongs to, a UUID. */
  pipelineId: string;
  /** The id of the lead that takes part in the conversation, a UUID; `null` if there is no lead. */
  leadId: string | null;
  /** The channel that the conversation uses, such as a messaging app or live chat. */
  channel: string;
  /** Whether the conversation needs attention. New values may be added. */
  status: OpenEnum<ConversationStatus>;
  /** How urgent the conversation is. New values may be added. */
  priority: OpenEnum<ConversationPriority>;
  /** When the latest message was written, as an RFC 3339 date-time; `null` if there are no messages. */
  lastMessageAt: string | null;
  /** When the conversation began, as an RFC 3339 date-time. */
  createdAt: string;
}

/** A conversation with its messages. */
export interface ConversationDetail extends Conversation {
  /** The messages of the conversation, `messagesLimit` at most. */
  messages: Message[];
}

/** The query parameters that list conversations. */
export interface ConversationListQuery extends PagingQuery {
  /** Only conversations with this status. */
  status?: ConversationStatus | undefined;
  /** Only rows of the pipeline with this id, a UUID. */
  pipelineId?: string | undefined;
}

/** The query parameters that read a conversation. */
export interface ConversationGetQuery {
  /**
   * The maximum number of messages to return, from 1 to 100.
   * @default 50
   */
  messagesLimit?: number | undefined;
}
