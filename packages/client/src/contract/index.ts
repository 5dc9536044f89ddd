/**
 * The API as data: zod schemas and types of each resource and body, and the table of operations.
 *
 * @packageDocumentation
 */

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
export type { ObjectSchema, ObjectShape, StrictObjectSchema } from './schemas/object-of.ts';
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
  ItemEnvelope,
  Lead,
  LeadCreate,
  LeadListQuery,
  LeadStatus,
  LeadUpdate,
  ListEnvelope,
  Message,
  MessageDirection,
  MessageSend,
  OpenEnum,
  OperationId,
  OperationName,
  OperationResponses,
  OperationSettings,
  PageEnvelope,
  PaginationMeta,
  PagingQuery,
  SenderType,
} from './types/index.ts';
