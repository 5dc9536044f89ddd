import type { Redis } from 'ioredis';

/** What Redis has used so far. */
interface Usage {
  readonly cpuMs: number;
  readonly bytes: number;
}

const usageOf = async (redis: Redis): Promise<Usage> => {
  const info = `${await redis.info('cpu')}\n${await redis.info('memory')}`;
  const read = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return {
    cpuMs: 1_000 * (read('used_cpu_user') + read('used_cpu_sys')),
    bytes: read('used_memory'),
  };
};

/** What work cost Redis: milliseconds of CPU, without the time in which other programs run instead, and bytes that stay. */
export const costOf = async (redis: Redis, work: () => Promise<void>): Promise<Usage> => {
  const before = await usageOf(redis);
  await work();
  const after = await usageOf(redis);
  return { cpuMs: after.cpuMs - before.cpuMs, bytes: after.bytes - before.bytes };
};

/** Does some work so many times, with 100 under way at once. */
export const times = async (count: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < count; index = next++) {
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: 100 }, worker));
};
