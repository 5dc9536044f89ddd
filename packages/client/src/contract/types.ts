// The types of the contract, inferred from its schemas. The build writes them without zod (`write-types.ts`), because the
// compiler of every program that uses the client would otherwise load zod. So no file outside this folder infers types
// from schemas.

import type * as z from 'zod/mini';
import type { AgentInvokeSchema, AgentReplySchema, AgentSchema } from './agent.ts';
import type { FunnelPeriodSchema, FunnelQuerySchema, FunnelSchema } from './analytics.ts';
import type {
  ConversationDetailSchema,
  ConversationGetQuerySchema,
  ConversationListQuerySchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
} from './conversation.ts';
import type { ErrorEnvelopeSchema, PaginationMetaSchema } from './envelope.ts';
import type {
  LeadCreateSchema,
  LeadListQuerySchema,
  LeadSchema,
  LeadStatusSchema,
  LeadUpdateSchema,
} from './lead.ts';
import type {
  MessageDirectionSchema,
  MessageSchema,
  MessageSendSchema,
  SenderTypeSchema,
} from './message.ts';
import type { operations } from './operations.ts';

/** The step that a lead has reached. */
export type LeadStatus = z.infer<typeof LeadStatusSchema>;

/** A contact or prospect. */
export interface Lead extends z.infer<typeof LeadSchema> {}

/** The body that creates a lead. */
export interface LeadCreate extends z.infer<typeof LeadCreateSchema> {}

/** The body that updates a lead. Fields that are left out keep their values. */
export interface LeadUpdate extends z.infer<typeof LeadUpdateSchema> {}

/** The query parameters that list leads. */
export interface LeadListQuery extends z.infer<typeof LeadListQuerySchema> {}

/** Whether a conversation needs attention. */
export type ConversationStatus = z.infer<typeof ConversationStatusSchema>;

/** How urgent a conversation is. */
export type ConversationPriority = z.infer<typeof ConversationPrioritySchema>;

/** A conversation, as lists show it. */
export interface Conversation extends z.infer<typeof ConversationSchema> {}

/** A conversation with its messages. */
export interface ConversationDetail extends z.infer<typeof ConversationDetailSchema> {}

/** The query parameters that list conversations. */
export interface ConversationListQuery extends z.infer<typeof ConversationListQuerySchema> {}

/** The query parameters that read a conversation. */
export interface ConversationGetQuery extends z.infer<typeof ConversationGetQuerySchema> {}

/** Who wrote a message. */
export type SenderType = z.infer<typeof SenderTypeSchema>;

/** Whether the lead sent a message or received it. */
export type MessageDirection = z.infer<typeof MessageDirectionSchema>;

/** A message of a conversation. */
export interface Message extends z.infer<typeof MessageSchema> {}

/** The body that sends a message. */
export interface MessageSend extends z.infer<typeof MessageSendSchema> {}

/** An AI agent of the account. */
export interface Agent extends z.infer<typeof AgentSchema> {}

/** The body that invokes an agent in its sandbox. */
export interface AgentInvoke extends z.infer<typeof AgentInvokeSchema> {}

/** The text that an agent generated, and what it cost. */
export interface AgentReply extends z.infer<typeof AgentReplySchema> {}

/** A period of time. */
export interface FunnelPeriod extends z.infer<typeof FunnelPeriodSchema> {}

/** How many leads reached each step of the funnel in a period. */
export interface Funnel extends z.infer<typeof FunnelSchema> {}

/** The query parameters that read the funnel. */
export interface FunnelQuery extends z.infer<typeof FunnelQuerySchema> {}

/** The position of a page in its list. */
export interface PaginationMeta extends z.infer<typeof PaginationMetaSchema> {}

/** The body of every error response. */
export interface ErrorEnvelope extends z.infer<typeof ErrorEnvelopeSchema> {}

/** The body of each operation's success. */
export type OperationResponses = {
  [Id in keyof typeof operations]: z.infer<(typeof operations)[Id]['response']>;
};

/** The id of an operation: `leads.create`, `conversations.list`, … */
export type OperationId = keyof OperationResponses;

/** The name of a call in errors and events: the id of its operation, or `request` for `confab.request`. */
export type OperationName = OperationId | 'request';

/** A scope that an operation needs, according to the contract. */
export type Scope = (typeof operations)[OperationId]['scope'];

/** A problem of a value. */
export interface Issue {
  /** The place of the problem: `query.limit`, `body.phone`, `data[3].createdAt`; empty for the value itself. */
  readonly path: string;
  /** What is wrong: `must be at most 100, got 500`. */
  readonly message: string;
}
