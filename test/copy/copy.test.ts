import { expect, test } from 'vitest';
import { runPasses } from './passes.ts';

/** Passes to make at least, as `pnpm --dir test copy` sets them. */
const PASSES = Number(process.env.COPY_PASSES ?? 200);

test('passes over accounts that change meanwhile lose no message and repeat none', {
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
