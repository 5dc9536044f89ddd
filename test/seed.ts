import * as fc from 'fast-check';

/**
 * Property tests draw new values in every run. With CONFAB_TEST_SEED, they draw the same ones: whether a change passes then
 * depends on the change, and not on what was drawn.
 */
const seed = process.env.CONFAB_TEST_SEED;

fc.configureGlobal({
  // By default, a list of at most 4,000 items has ten.
  defaultSizeToMaxWhenMaxSpecified: true,
  ...(seed !== undefined && { seed: Number(seed) }),
});
