/**
 * The interface of a store that shares one rate limit between processes.
 *
 * @packageDocumentation
 */

export type { RateLimitGrant, RateLimitStore } from './rate-limit-store.ts';
export type { SharedRateLimitOptions } from './shared-rate-limit.ts';
export { sharedRateLimit } from './shared-rate-limit.ts';
