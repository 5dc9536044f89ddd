import { test } from 'vitest';
import { compareWith, references } from './support/references.ts';

test.each(references)(
  '$name and this package agree on 10,000 random deliveries',
  { timeout: 300_000 },
  (reference) => compareWith(reference, { numRuns: 10_000, everyChange: false }),
);
