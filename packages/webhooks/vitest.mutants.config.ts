import { testsForMutants } from '../../vitest.mutants.ts';

export default testsForMutants(import.meta.dirname, [
  'refusals',
  'fetch',
  'handlers',
  'dedupe-signed-id',
  'failing-parts',
  'dedupe',
  'schemes',
  'events',
  'sign-and-verify',
  'read-body',
  'queue',
  'configuration',
]);
