import { test } from 'vitest';
import { compareWith, references } from './support/references.ts';

for (const reference of references) {
  test(`${reference.name} accepts what this package signs, and both refuse the same deliveries`, async () => {
    await compareWith(reference, { numRuns: 50, everyChange: true });
  });
}
