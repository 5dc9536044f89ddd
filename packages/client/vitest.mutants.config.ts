import { testsForMutants } from '../../vitest.mutants.ts';

export default testsForMutants(import.meta.dirname, [
  'in-words',
  'clock',
  'final-failure',
  'error-bodies',
  'attempt-headers',
  'options',
  'errors',
  'hooks',
  'extra-fields',
  'secrecy',
  'shown',
  'retry',
  'limiter',
  'calls',
  'redact',
  'stacks',
  'hostile',
  'response-size',
  'pagination',
  'shared-rate-limit',
]);
