import { test } from 'vitest';
import { compareWith, references } from './support/references.ts';

test.each(references)(
  '$name and this package create the same signatures and refuse the same deliveries',
  (reference) => compareWith(reference, { numRuns: 50, everyChange: true }),
);
