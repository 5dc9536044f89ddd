import { runRedisScript } from '@confab/internal';
import { startRedisServer } from '@confab/internal/test-support';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { RELEASE, TAKE } from '../../packages/client/src/redis/window-scripts.ts';
import { createBudget } from './budget.ts';

/** So long that no place becomes free by itself during a test. */
const [PER_MS, LEASE_MS] = [600_000, 90_000];

const step = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), process: fc.nat(5), count: fc.nat(4) }),
  fc.record({ kind: fc.constant('release' as const), place: fc.nat(30), counts: fc.boolean() }),
);

test('the simulated budget in memory grants the same places as the scripts in Redis', {
  timeout: 60_000,
}, async () => {
  const server = await startRedisServer();
  const redis = new Redis(server.url);
  onTestFinished(() => redis.disconnect());
  const run = fc.asyncProperty(
    fc.integer({ min: 1, max: 6 }),
    fc.array(step, { maxLength: 60, size: 'max' }),
    async (requests, steps) => {
      await redis.flushall();
      const budget = createBudget({ requests, perMs: PER_MS });
      const keys = ['confab:{a}:window', 'confab:{a}:pause', 'confab:{a}:line'];
      /** The name of each place, in memory and in Redis. */
      const places: (readonly [ours: string, theirs: string])[] = [];
      for (const [index, next] of steps.entries()) {
        // Each step is a moment later, as in Redis.
        const now = index + 1;
        if (next.kind === 'take') {
          const { process, count } = next;
          const args = [requests, PER_MS, count, LEASE_MS, `${index}:`, `process ${process}`];
          const [granted = 0] = (await runRedisScript(redis, TAKE, keys, args)) as number[];
          const ours = budget.take(process, count, LEASE_MS, now);
          expect(ours.places).toHaveLength(granted);
          places.push(...ours.places.map((place, number) => [place, `${index}:${number + 1}`] as const));
        } else {
          const [ours, theirs] = places[next.place] ?? ['none', 'none'];
          await runRedisScript(redis, RELEASE, keys.slice(0, 1), [theirs, PER_MS, next.counts ? 1 : 0]);
          budget.release(ours, next.counts, now);
        }
      }
    },
  );
  await fc.assert(run, { numRuns: 300 });
});
