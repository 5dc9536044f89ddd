import type { Agent, AgentReply } from './agent.ts';
import type { Funnel } from './analytics.ts';
import type { Conversation, ConversationDetail, ConversationListQuery } from './conversation.ts';
import type { ItemEnvelope, ListEnvelope, PageEnvelope } from './envelope.ts';
import type { Lead, LeadListQuery } from './lead.ts';
import type { Message } from './message.ts';

/** The body of each operation's success. */
export interface OperationResponses {
  /** A page of conversations. */
  'conversations.list': PageEnvelope<Conversation>;
  /** The conversation, with its latest messages. */
  'conversations.get': ItemEnvelope<ConversationDetail>;
  /** The message that was sent. */
  'conversations.sendMessage': ItemEnvelope<Message>;
  /** A page of leads. */
  'leads.list': PageEnvelope<Lead>;
  /** The new lead. */
  'leads.create': ItemEnvelope<Lead>;
  /** The lead. */
  'leads.get': ItemEnvelope<Lead>;
  /** The lead after the change. */
  'leads.update': ItemEnvelope<Lead>;
  /** All agents. */
  'agents.list': ListEnvelope<Agent>;
  /** The agent's reply. */
  'agents.invoke': ItemEnvelope<AgentReply>;
  /** The counts of the funnel. */
  'analytics.funnel': ItemEnvelope<Funnel>;
}

/** The id of an operation: `leads.create`, `conversations.list`, … */
export type OperationId = keyof OperationResponses;

/** How errors and events name a call: the id of its operation, or `request` for a call of `confab.request`. */
export type OperationName = OperationId | 'request';

/** The query of each operation that lists rows in pages. */
export interface ListQueries {
  'conversations.list': ConversationListQuery;
  'leads.list': LeadListQuery;
}
