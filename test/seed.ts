import type * as FastCheck from 'fast-check';

/**
 * Property tests draw new values in every run. With CONFAB_TEST_SEED they draw the same ones: a change then lands or
 * fails because of what it changed, not because of what was drawn.
 */
const seed = process.env.CONFAB_TEST_SEED;
if (seed !== undefined) {
  // Most files have no property, so those of a run without a seed don't load the library.
  const fc: typeof FastCheck = await import('fast-check');
  fc.configureGlobal({ seed: Number(seed) });
}
