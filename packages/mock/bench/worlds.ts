import { createMock } from '../dist/index.js';
import { serve } from '../dist/server/index.js';

const WORLDS = 1_000;

interface WorldCosts {
  /** Milliseconds to create one over HTTP, from request to response. */
  readonly median: number;
  /** Megabytes of the whole process by which 1,000 worlds grow it. */
  readonly megabytes: number;
}

/** Creates 1,000 worlds over one keep-alive connection. */
export const measureWorlds = async (): Promise<WorldCosts> => {
  const server = await serve(createMock());
  const make = async () => {
    const response = await fetch(`${server.url}/__mock/worlds`, { method: 'POST', body: '{}' });
    await response.text();
  };
  await make();
  const before = process.memoryUsage.rss();
  const took: number[] = [];
  for (let at = 1; at < WORLDS; at += 1) {
    const began = performance.now();
    await make();
    took.push(performance.now() - began);
  }
  const megabytes = (process.memoryUsage.rss() - before) / 1e6;
  await server.close();
  return { median: took.toSorted((a, b) => a - b)[took.length >>> 1] ?? Number.NaN, megabytes };
};
