/**
 * Receives, verifies and signs webhooks, in any runtime with `fetch` and WebCrypto.
 *
 * @packageDocumentation
 */

export type { RawBody } from './bytes/to-bytes.ts';
export type { Webhooks } from './create-webhooks.ts';
export { createWebhooks } from './create-webhooks.ts';
export type { DedupeOptions, VerifiedDelivery } from './dedupe/dedupe-options.ts';
export type { ClaimState, DedupeClaim, DedupeStore } from './dedupe/dedupe-store.ts';
export type { MemoryDedupeStoreOptions } from './dedupe/memory-dedupe-store.ts';
export { createMemoryDedupeStore } from './dedupe/memory-dedupe-store.ts';
export type { CapturedDelivery, DetectedSignature } from './detect/detect-signature.ts';
export { detectSignature } from './detect/detect-signature.ts';
export type { SecretForm } from './detect/secret-forms.ts';
export { WebhookConfigurationError } from './errors/webhook-configuration-error.ts';
export type { WebhookErrorCode } from './errors/webhook-error.ts';
export { WebhookError } from './errors/webhook-error.ts';
export type { MessageCreated } from './events/message-created.ts';
export { MessageCreatedSchema } from './events/message-created.ts';
export type { OutputOf, StandardIssue, StandardResult, StandardSchema } from './events/standard-schema.ts';
export type {
  EventOf,
  EventSchemas,
  KnownEvent,
  KnownEvents,
  UnknownEvent,
  WebhookEvent,
} from './events/webhook-event.ts';
export type { Delivery } from './queue/delivery.ts';
export type { Enqueue, EnqueueContext } from './queue/enqueue.ts';
export type { DeliveryContext, ErrorHandler, EventHandler, Unsubscribe } from './receive/handlers.ts';
export type { ProcessOptions } from './receive/process.ts';
export type { IncomingRequest, Receiver } from './receive/receive.ts';
export type { WebhookResponse } from './receive/webhook-response.ts';
export type { HeadersLike } from './signature/headers.ts';
export type { Secret } from './signature/secret.ts';
export type { Secrets } from './signature/secret-list.ts';
export type { SignOptions } from './signature/sign.ts';
export { sign } from './signature/sign.ts';
export type { SignatureEncoding } from './signature/signature-encoding.ts';
export type { SignatureOptions, TimestampOptions } from './signature/signature-options.ts';
export type { Signature, SignatureScheme, SignedParts, SignedValues } from './signature/signature-scheme.ts';
export { signedRequest } from './signature/signed-request.ts';
export type { StandardWebhooksOptions } from './signature/standard-webhooks.ts';
export { standardWebhooks } from './signature/standard-webhooks.ts';
export type { TimestampedOptions } from './signature/timestamped.ts';
export { timestamped } from './signature/timestamped.ts';
export type { Verified } from './signature/verify.ts';
export type { AfterResponse, WaitUntil } from './timing/after-response.ts';
export type { WebhooksOptions } from './webhooks-options.ts';
