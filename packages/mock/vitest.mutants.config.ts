import { testsForMutants } from '../../vitest.mutants.ts';

export default testsForMutants(import.meta.dirname, [
  'admin',
  'strict',
  'limits',
  'misspelled',
  'collections',
  'restore',
  'isolation',
  'lists',
  'operations',
  'server',
  'worlds',
  'sliding-window',
]);
