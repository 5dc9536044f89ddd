export type { Issue } from './issues.ts';
export { describeIssues } from './issues.ts';
export type { Operation } from './operation.ts';
export type { OperationId, Scope } from './operations.ts';
export { API_VERSION, operations } from './operations.ts';
export type { Agent, AgentInvoke, AgentReply } from './schemas/agent.ts';
export { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './schemas/agent.ts';
export type { Funnel, FunnelPeriod, FunnelQuery } from './schemas/analytics.ts';
export { FunnelPeriodSchema, FunnelQuerySchema, FunnelSchema } from './schemas/analytics.ts';
export type {
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  ConversationPriority,
  ConversationStatus,
} from './schemas/conversation.ts';
export {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
} from './schemas/conversation.ts';
export type { ErrorEnvelope, PaginationMeta } from './schemas/envelope.ts';
export { ErrorEnvelopeSchema, PaginationMetaSchema } from './schemas/envelope.ts';
export type { ClosedEnum, OpenEnum } from './schemas/fields.ts';
export { DateTimeSchema, IdSchema } from './schemas/fields.ts';
export type { Lead, LeadCreate, LeadListQuery, LeadStatus, LeadUpdate } from './schemas/lead.ts';
export {
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
} from './schemas/lead.ts';
export type { Message, MessageDirection, MessageSend, SenderType } from './schemas/message.ts';
export {
  MessageDirectionSchema,
  MessageSchema,
  MessageSendSchema,
  SenderTypeSchema,
} from './schemas/message.ts';
