/** The process under test: `serve()` with a mock on the system's clock. It measures itself when its parent asks. */
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { bytesInUse } from '../../packages/internal/test-support/garbage.ts';

const leaks = process.argv[2] === 'leak';
let requests = 0;

/** Counts requests, and leaks on purpose, if that was asked for, to show that the check notices. */
const onRequest = (): void => {
  requests += 1;
  if (leaks) {
    // Twenty kilobytes of each request, and a timer.
    const some = Array.from({ length: 2_500 }, () => Math.random());
    setTimeout(() => some, 3_600_000);
  }
};

const mock = createMock({ clock: 'system', data: 'demo', rateLimit: { requests: 600_000, perMs: 60_000 } });
const { url } = await serve(mock, { worldTtl: 5_000, onRequest });

const figures = async () => ({
  url,
  requests,
  heapBytes: await bytesInUse(),
  rssBytes: process.memoryUsage.rss(),
  /** Kinds of whatever keeps the process alive, once for each handle. */
  handles: process.getActiveResourcesInfo(),
});
export type ServerFigures = Awaited<ReturnType<typeof figures>>;

process.on('message', async () => process.send?.(await figures()));
process.on('disconnect', () => process.exit());
process.send?.(await figures());
