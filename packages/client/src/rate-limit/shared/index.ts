export type { RateLimitGrant, RateLimitStore } from './rate-limit-store.ts';
export type { SharedRateLimitOptions } from './shared-rate-limit.ts';
export { sharedRateLimit } from './shared-rate-limit.ts';
