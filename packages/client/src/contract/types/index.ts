export type { Agent, AgentInvoke, AgentReply } from './agent.ts';
export type { Funnel, FunnelPeriod, FunnelQuery } from './analytics.ts';
export type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  ConversationPriority,
  ConversationStatus,
} from './conversation.ts';
export type { ErrorEnvelope, ItemEnvelope, ListEnvelope, PageEnvelope } from './envelope.ts';
export type { Issue } from './issue.ts';
export type { Lead, LeadCreate, LeadListQuery, LeadStatus, LeadUpdate } from './lead.ts';
export type { Message, MessageDirection, MessageSend, SenderType } from './message.ts';
export type { OpenEnum } from './open-enum.ts';
export type { OperationSettings } from './operation-settings.ts';
export type { ListQueries, OperationId, OperationName, OperationResponses } from './operation-types.ts';
export type { PaginationMeta, PagingQuery } from './paging.ts';
