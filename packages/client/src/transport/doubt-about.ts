import type { RetryPolicy } from '../options/retry-policy.ts';

/** What an error adds when the service may have acted on a request that is not idempotent. */
export const doubtAbout = (idempotent: boolean, retry: RetryPolicy | false): string => {
  if (idempotent) {
    return '';
  }
  const advice = retry !== false && retry.nonIdempotent ? '' : ', or set `retry.nonIdempotent`';
  return ` The service may have acted: check before you send it again${advice}.`;
};
