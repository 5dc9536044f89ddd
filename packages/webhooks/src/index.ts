/**
 * Receives, verifies and signs webhooks, in any runtime with `fetch` and WebCrypto.
 *
 * @packageDocumentation
 */

export type { RawBody } from './body.ts';
export type { WaitUntil, Webhooks } from './create-webhooks.ts';
export { createWebhooks } from './create-webhooks.ts';
export type { DedupeOptions } from './dedupe/dedupe-options.ts';
export type { ClaimState, DedupeClaim, DedupeStore } from './dedupe/dedupe-store.ts';
export type { VerifiedDelivery } from './dedupe/delivery-id.ts';
export type { HandledDelivery, Inbox, RunResult } from './dedupe/inbox.ts';
export type { MemoryDedupeStoreOptions } from './dedupe/memory-dedupe-store.ts';
export { createMemoryDedupeStore } from './dedupe/memory-dedupe-store.ts';
export type { CapturedDelivery, DetectedSignature } from './detect/detect-signature.ts';
export { detectSignature } from './detect/detect-signature.ts';
export type { SecretForm } from './detect/secret-forms.ts';
export type { WebhookErrorCode } from './errors.ts';
export { WebhookConfigurationError, WebhookError } from './errors.ts';
export type {
  EventOf,
  EventSchemas,
  KnownEvent,
  KnownEvents,
  MessageCreated,
  UnknownEvent,
  WebhookEvent,
} from './event.ts';
export { MessageCreatedSchema } from './event.ts';
export type { DeliveryContext, ErrorHandler, EventHandler, Unsubscribe } from './handlers.ts';
export type { HeadersLike } from './headers.ts';
export type { WebhooksOptions } from './options.ts';
export type { Delivery, Enqueue, EnqueueContext, ProcessOptions } from './queue.ts';
export type { AfterResponse, IncomingRequest, Receiver, WebhookResponse } from './receive.ts';
export type { SignatureEncoding } from './signature/encoding.ts';
export type {
  Signature,
  SignatureOptions,
  SignatureScheme,
  SignedParts,
  SignedValues,
  TimestampOptions,
  TimestampUnit,
} from './signature/scheme.ts';
export type { Secret, SecretLookup, SecretRequest, Secrets } from './signature/secret.ts';
export type { SentPayload, SignOptions } from './signature/sign.ts';
export { sign, signedRequest } from './signature/sign.ts';
export type { StandardWebhooksOptions } from './signature/standard-webhooks.ts';
export { standardWebhooks } from './signature/standard-webhooks.ts';
export type { TimestampedOptions } from './signature/timestamped.ts';
export { timestamped } from './signature/timestamped.ts';
export type { Verified } from './signature/verify.ts';
export type { OutputOf, StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
