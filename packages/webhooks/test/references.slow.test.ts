import { test } from 'vitest';
import { compareWith, references } from './support/references.ts';

for (const reference of references) {
  test(`${reference.name} and this package agree on 10,000 random deliveries`, {
    timeout: 300_000,
  }, async () => {
    await compareWith(reference, { numRuns: 10_000, everyChange: false });
  });
}
