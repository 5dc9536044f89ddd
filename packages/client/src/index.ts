/**
 * The client of the API, its options and its errors.
 *
 * @packageDocumentation
 */

export type { ApiPromise } from './call/api-promise.ts';
export type { ResponseInfo } from './call/call-result.ts';
export type { Confab } from './client.ts';
export { createClient } from './client.ts';
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
  Funnel,
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
  SenderType,
} from './contract/types.ts';
export type { ApiErrorInit, RateLimitInfo } from './errors/index.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfabError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  ImportStoppedError,
  InvalidRequestError,
  InvalidResponseError,
  isConfabError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RateLimitStoreError,
  ServerError,
  TimeoutError,
} from './errors/index.ts';
export type {
  AttemptEvent,
  CallEndEvent,
  CallStartEvent,
  DriftEvent,
  Hooks,
  Logger,
  PauseEvent,
  RateLimitEvent,
  ResponseEvent,
  RetryEvent,
} from './hooks/events.ts';
export type { ListIterator } from './lists/list-iterator.ts';
export type { Page, PageWithProgress, Progress } from './lists/page.ts';
export type { AllOptions, ListOptions, Paginated } from './lists/paginated.ts';
export type {
  AppInfo,
  AttemptHeaders,
  CallOptions,
  ClientDefaults,
  ClientOptions,
  Fetch,
  HeaderValues,
  RetryOptions,
  ValidationMode,
} from './options/client-options.ts';
export type { RateLimitSnapshot } from './rate-limit/limiter.ts';
export type { RateLimit, SharedRateLimit } from './rate-limit/window.ts';
export type { Agents } from './resources/agents.ts';
export type { Analytics, FunnelRange } from './resources/analytics.ts';
export type { Conversations } from './resources/conversations.ts';
export type { CustomData, CustomRequest, SendCustomRequest } from './resources/custom-request.ts';
export type { EnsuredLead, EnsureOptions } from './resources/ensure-lead.ts';
export type { EnsureMany, EnsureManyOptions, EnsureSummary } from './resources/ensure-many.ts';
export type { EnsureOutcome, EnsureProgress } from './resources/import-rows.ts';
export type { Leads } from './resources/leads.ts';
export type { MessagesPass, MessagesSinceOptions, NewMessages } from './resources/messages-since.ts';
export type {
  StandardIssue,
  StandardPathSegment,
  StandardResult,
  StandardSchema,
} from './resources/standard-schema.ts';
export type { ApiKey } from './secrecy/key.ts';
export type { Clock } from './time/clock.ts';
