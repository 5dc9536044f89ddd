import { expect, test } from 'vitest';
import { runPasses } from './passes.ts';

test('two hundred passes over accounts that change meanwhile lose no message and repeat none', async () => {
  const first = Number(process.env.CONFAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
  let passes = 0;
  for (let seed = first; passes < 200; seed += 1) {
    const result = await runPasses(seed);
    passes += result.passes;
    expect(result.problems, result.title).toEqual([]);
  }
});
