import { onTestFinished, vi } from 'vitest';

/** Replaces timeouts until the end of the test, which then advances them itself. */
export const replaceTimeouts = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};
