/** Milliseconds until a request would pass; 0 when it passed and was counted. */
export type Enter = (now: number) => number;

/** An exact sliding window: at most `requests` in any `perMs` milliseconds. What it refuses does not count. */
export const createSlidingWindow = ({ requests, perMs }: { requests: number; perMs: number }): Enter => {
  const passed: number[] = [];
  return (now) => {
    while (passed[0] !== undefined && passed[0] + perMs <= now) {
      passed.shift();
    }
    const [oldest] = passed;
    if (oldest !== undefined && passed.length >= requests) {
      return oldest + perMs - now;
    }
    passed.push(now);
    return 0;
  };
};
