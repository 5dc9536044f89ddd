/**
 * The API as data: zod schemas and types of each resource and body, and the table of operations.
 *
 * @packageDocumentation
 */

export { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './agent.ts';
export { FunnelPeriodSchema, FunnelQuerySchema, FunnelSchema } from './analytics.ts';
export {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
} from './conversation.ts';
export { ErrorEnvelopeSchema, PaginationMetaSchema } from './envelope.ts';
export type { OpenEnum } from './fields.ts';
export { DateTimeSchema, IdSchema } from './fields.ts';
export { describeIssues } from './issues.ts';
export {
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
} from './lead.ts';
export { MessageDirectionSchema, MessageSchema, MessageSendSchema, SenderTypeSchema } from './message.ts';
export type { Operation } from './operations.ts';
export { operations } from './operations.ts';
export type {
  Agent,
  AgentInvoke,
  AgentReply,
  Conversation,
  ConversationDetail,
  ConversationGetQuery,
  ConversationListQuery,
  ConversationPriority,
  ConversationStatus,
  ErrorEnvelope,
  Funnel,
  FunnelPeriod,
  FunnelQuery,
  Issue,
  Lead,
  LeadCreate,
  LeadListQuery,
  LeadStatus,
  LeadUpdate,
  Message,
  MessageDirection,
  MessageSend,
  OperationId,
  OperationName,
  OperationResponses,
  PaginationMeta,
  Scope,
  SenderType,
} from './types.ts';
