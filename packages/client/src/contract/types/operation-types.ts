import type { Agent, AgentReply } from './agent.ts';
import type { Funnel } from './analytics.ts';
import type { Conversation, ConversationDetail, ConversationListQuery } from './conversation.ts';
import type { ItemEnvelope, ListEnvelope, PageEnvelope } from './envelope.ts';
import type { Lead, LeadListQuery } from './lead.ts';
import type { Message } from './message.ts';

/** The body of each operation's success. */
export interface OperationResponses {
  'conversations.list': PageEnvelope<Conversation>;
  'conversations.get': ItemEnvelope<ConversationDetail>;
  'conversations.sendMessage': ItemEnvelope<Message>;
  'leads.list': PageEnvelope<Lead>;
  'leads.create': ItemEnvelope<Lead>;
  'leads.get': ItemEnvelope<Lead>;
  'leads.update': ItemEnvelope<Lead>;
  'agents.list': ListEnvelope<Agent>;
  'agents.invoke': ItemEnvelope<AgentReply>;
  'analytics.funnel': ItemEnvelope<Funnel>;
}

/** The id of an operation: `leads.create`, `conversations.list`, … */
export type OperationId = keyof OperationResponses;

/** The query of each operation that lists rows in pages. */
export interface ListQueries {
  'conversations.list': ConversationListQuery;
  'leads.list': LeadListQuery;
}
