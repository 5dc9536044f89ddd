import { test } from 'vitest';
import { compareWith, references } from './support/references.ts';

test.each(references)('$name and this package sign alike and refuse the same deliveries', (reference) =>
  compareWith(reference, { numRuns: 50, everyChange: true }),
);
