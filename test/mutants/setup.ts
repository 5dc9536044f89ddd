import fc from 'fast-check';

/**
 * Properties try the same values for every mutant, for at most half a second: they find most mutants within a few values.
 */
fc.configureGlobal({
  seed: 20_260_101,
  interruptAfterTimeLimit: 500,
  defaultSizeToMaxWhenMaxSpecified: true,
});
