export { describeIssues } from './issues.ts';
export type { Operation } from './operation.ts';
export type { Scope } from './operations.ts';
export { API_VERSION, operations } from './operations.ts';
export { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './schemas/agent.ts';
export { FunnelPeriodSchema, FunnelQuerySchema, FunnelSchema } from './schemas/analytics.ts';
export {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
} from './schemas/conversation.ts';
export { ErrorEnvelopeSchema, PaginationMetaSchema } from './schemas/envelope.ts';
export type { ClosedEnum } from './schemas/fields.ts';
export { DateTimeSchema, IdSchema } from './schemas/fields.ts';
export {
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
} from './schemas/lead.ts';
export {
  MessageDirectionSchema,
  MessageSchema,
  MessageSendSchema,
  SenderTypeSchema,
} from './schemas/message.ts';
export type { ObjectSchema, StrictObjectSchema } from './schemas/object-of.ts';
export type { Agent, AgentInvoke, AgentReply } from './types/agent.ts';
export type { Funnel, FunnelPeriod, FunnelQuery } from './types/analytics.ts';
export type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  ConversationPriority,
  ConversationStatus,
} from './types/conversation.ts';
export type { ErrorEnvelope, ItemEnvelope, ListEnvelope, PageEnvelope } from './types/envelope.ts';
export type { Issue } from './types/issue.ts';
export type { Lead, LeadCreate, LeadListQuery, LeadStatus, LeadUpdate } from './types/lead.ts';
export type { Message, MessageDirection, MessageSend, SenderType } from './types/message.ts';
export type { OpenEnum } from './types/open-enum.ts';
export type { OperationSettings } from './types/operation-settings.ts';
export type { OperationId, OperationResponses } from './types/operation-types.ts';
export type { PaginationMeta, PagingQuery } from './types/paging.ts';
