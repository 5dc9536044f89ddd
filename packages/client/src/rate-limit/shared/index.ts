/**
 * The interface of a store that shares one rate limit between processes.
 *
 * @packageDocumentation
 */

export type { SharedRateLimitOptions } from './shared-rate-limit.ts';
export { sharedRateLimit } from './shared-rate-limit.ts';
export type { RateLimitGrant, RateLimitStore } from './shared-window.ts';
