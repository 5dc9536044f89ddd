import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import type { Clock } from '../src/index.ts';
import { createLimiter } from '../src/rate-limit/limiter.ts';
import { createManualClock } from './support/manual-clock.ts';

test('each call sets its timers itself, because Workers end the timers of a request with it', async () => {
  const requests = new AsyncLocalStorage<string>();
  const { clock, turnTo } = createManualClock();
  const setBy: unknown[] = [];
  const watched: Clock = {
    now: clock.now,
    sleep(...args) {
      setBy.push(requests.getStore());
      return clock.sleep(...args);
    },
  };
  const limiter = createLimiter({ clock: watched, concurrency: 1, rateLimit: { requests: 1, perMs: 1_000 } });
  const acquire = (request: string) =>
    requests.run(request, () =>
      limiter.acquire({
        signal: new AbortController().signal,
        call: { operation: 'leads.get', label: 'leads.get', attempts: 0 },
        timeout: 30_000,
        refuse: () => {},
      }),
    );

  const first = await acquire('first');
  const second = acquire('second');
  const third = acquire('third');
  requests.run('first', () => first.release(true));
  await turnTo(1_000);
  const { release } = await second;
  requests.run('second', () => release(true));
  await turnTo(2_000);
  await third;

  expect(setBy).toEqual(['second', 'third']);
});
