export type { Agent, AgentInvoke, AgentReply } from './agent.ts';
export { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './agent.ts';
export type { Funnel, FunnelPeriod, FunnelQuery } from './analytics.ts';
export { FunnelPeriodSchema, FunnelQuerySchema, FunnelSchema } from './analytics.ts';
export type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  ConversationPriority,
  ConversationStatus,
} from './conversation.ts';
export {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
} from './conversation.ts';
export type { ErrorEnvelope, PaginationMeta } from './envelope.ts';
export { ErrorEnvelopeSchema, PaginationMetaSchema } from './envelope.ts';
export type { ClosedEnum, OpenEnum } from './fields.ts';
export { DateTimeSchema, IdSchema } from './fields.ts';
export type { Issue } from './issues.ts';
export { describeIssues } from './issues.ts';
export type { Lead, LeadCreate, LeadListQuery, LeadStatus, LeadUpdate } from './lead.ts';
export {
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
} from './lead.ts';
export type { Message, MessageDirection, MessageSend, SenderType } from './message.ts';
export {
  MessageDirectionSchema,
  MessageSchema,
  MessageSendSchema,
  SenderTypeSchema,
} from './message.ts';
export type { Operation } from './operation.ts';
export type { OperationId, Scope } from './operations.ts';
export { API_VERSION, operations } from './operations.ts';
