import type { Mock, MockFetch } from '@confab/mock';
import type { MockState, WindowSample } from '../messages.ts';
import { MAX_CHARACTERS, MAX_ROWS, MAX_SAMPLES } from '../messages.ts';

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Samples the rate-limit window of a mock after each response, and returns a function that reports its state. */
export const watchMock = (mock: Mock): (() => MockState) => {
  const start = mock.clock.now();
  const samples: WindowSample[] = [];
  const { fetch } = mock;
  const sampled: MockFetch = async (...args) => {
    try {
      return await fetch(...args);
    } finally {
      samples.push({ at: mock.clock.now() - start, used: mock.keys.list()[0]?.used ?? 0 });
      samples.splice(0, samples.length - MAX_SAMPLES);
    }
  };
  const writable: Writable<Mock> = mock;
  writable.fetch = sampled;
  writable.clientOptions = { ...mock.clientOptions, fetch: sampled };

  return () => {
    const [key] = mock.keys.list();
    const { total } = mock.requests.list({ limit: 1 }).meta;
    const limit = key?.rateLimit.requests;
    return {
      now: mock.clock.now(),
      elapsed: mock.clock.now() - start,
      limit: Number.isFinite(limit) ? limit : undefined,
      perMs: key?.rateLimit.perMs ?? 60_000,
      used: key?.used ?? 0,
      total,
      requests: mock.requests.all.slice(-MAX_ROWS).map(({ method, path, operation, status, at }) => ({
        method,
        path: path.slice(0, MAX_CHARACTERS),
        operation,
        status,
        at: at - start,
      })),
      samples: [...samples],
    };
  };
};
