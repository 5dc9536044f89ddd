import fc from 'fast-check';

/**
 * Properties try the same values for every mutant, and for at most half a second: most mutants that they find, they find
 * within a few values.
 */
fc.configureGlobal({
  seed: 20_260_101,
  interruptAfterTimeLimit: 500,
  defaultSizeToMaxWhenMaxSpecified: true,
});
