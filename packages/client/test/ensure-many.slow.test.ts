import { setFlagsFromString } from 'node:v8';
import { collectGarbage } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { lead } from './support/data.ts';

// Otherwise the engine frees the code of functions that were not called lately, at some moment of its own.
setFlagsFromString('--no-flush-bytecode');

const ROWS = 100_000;
/** Until then, the engine compiles code. */
const WARM_UP = 20_000;
const INTERVAL = 5_000;

/** Megabytes in use once garbage is gone. */
const heap = async (): Promise<number> => {
  await collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('100,000 rows with distinct phones leave the heap flat', { timeout: 120_000 }, async () => {
  const body = JSON.stringify({ success: true, data: lead });
  const clock = createTestClock();
  const confab = clientWith({
    clock,
    fetch: async () => {
      // 10 rows a second: the client remembers the requests of the last minute, and more of them would blur the figures.
      clock.advance(100);
      return new Response(body, { status: 201 });
    },
  });
  let read = 0;
  let furthestAhead = 0;
  let yielded = 0;
  const rows = function* () {
    for (; read < ROWS; read += 1) {
      furthestAhead = Math.max(furthestAhead, read - yielded);
      yield { phone: `+5511${900_000_000 + read}` };
    }
  };
  const run = confab.leads.ensureMany(rows());
  const used: number[] = [];
  for await (const { index } of run) {
    yielded += 1;
    const done = index + 1;
    if (done >= WARM_UP && done % INTERVAL === 0) {
      used.push(await heap());
    }
  }

  expect(run.progress).toEqual({ done: ROWS, created: ROWS, existing: 0, updated: 0, unknown: 0, failed: 0 });
  expect(furthestAhead).toBeLessThanOrEqual(10);
  expect(used).toHaveLength((ROWS - WARM_UP) / INTERVAL + 1);
  // One pointer kept for each row would be 0.3 MB more in the later half than in the earlier one, on average.
  const half = used.length >> 1;
  expect(mean(used.slice(half)) - mean(used.slice(0, half))).toBeLessThan(0.15);
});
