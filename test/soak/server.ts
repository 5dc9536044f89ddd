/** The process under test: a mock server on the system clock, which measures itself when its parent asks. */
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { bytesInUse } from '../../packages/internal/test-support/garbage.ts';

const leaks = process.argv[2] === 'leak';
let requests = 0;

/** Counts requests. With `leak`, it leaks on purpose, to show that the check notices. */
const onRequest = (): void => {
  requests += 1;
  if (leaks) {
    // Twenty kilobytes and a timer for each request.
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
  /** The kind of each handle that keeps the process alive. */
  handles: process.getActiveResourcesInfo(),
});
export type ServerFigures = Awaited<ReturnType<typeof figures>>;

process.on('message', async () => process.send?.(await figures()));
process.on('disconnect', () => process.exit());
process.send?.(await figures());
