import { createRedisServer } from '@confab/internal/test-support';
import { Redis } from 'ioredis';
import type { BudgetCosts } from './measure-budget.ts';
import { measureBudget } from './measure-budget.ts';
import type { DeliveryCosts } from './measure-deliveries.ts';
import { measureDeliveries } from './measure-deliveries.ts';

export interface Costs {
  readonly budget: BudgetCosts;
  readonly delivery: DeliveryCosts;
}

/**
 * Measures everything on a Redis of its own.
 *
 * @param say Called with what is measured next.
 */
export const measureAll = async (say: (what: string) => void): Promise<Costs> => {
  const server = await createRedisServer();
  const redis = new Redis(server.url);
  try {
    say('measuring what a shared limit costs Redis');
    const budget = await measureBudget(redis);
    await redis.flushall();
    say('measuring what deliveries cost a receiver, a worker and Redis');
    return { budget, delivery: await measureDeliveries(redis, server.url) };
  } finally {
    redis.disconnect();
    await server.kill();
  }
};
