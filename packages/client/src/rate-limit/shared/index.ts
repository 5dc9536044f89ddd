/**
 * The interface of a store that shares one rate limit between processes.
 *
 * @packageDocumentation
 */

export type { RateLimitGrant, RateLimitStore, SharedRateLimitOptions } from './shared-rate-limit.ts';
export { sharedRateLimit } from './shared-rate-limit.ts';
