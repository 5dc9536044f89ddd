import { expect, test } from 'vitest';
import { runPasses } from './passes.ts';

/** The fewest passes to make, as `pnpm --dir test copy` sets it. */
const PASSES = Number(process.env.COPY_PASSES ?? 200);

test('conversations.messagesSince loses no message and yields none twice while the account changes', {
  timeout: 30_000 + 50 * PASSES,
}, async () => {
  const first = Number(process.env.CONFAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const sum = { passes: 0, broken: 0, unsettled: 0 };
  for (let seed = first; sum.passes < PASSES; seed += 1) {
    const { title, passes, broken, unsettled, problems } = await runPasses(seed);
    expect(problems, title).toEqual([]);
    sum.passes += passes;
    sum.broken += broken;
    sum.unsettled += unsettled;
  }
  if (PASSES > 200) {
    console.log(sum);
  }
});
