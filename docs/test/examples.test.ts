import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { EXAMPLES } from '../playground/examples.ts';
// The first example would load these otherwise, and seem slow.
import '@confab/client';
import '@confab/mock';
import '@confab/webhooks';
import { OUTPUTS } from './support/example-outputs.ts';

const files = readdirSync(join(import.meta.dirname, '../playground/examples')).map((name) =>
  basename(name, '.ts'),
);

test('the playground offers every example', () => {
  expect(Object.keys(OUTPUTS).sort()).toEqual(files.sort());
  expect(EXAMPLES).toHaveLength(files.length);
});

test.for(files)('the example %s prints what it promises', async (name) => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await import(`../playground/examples/${name}.ts`);
    expect(log.mock.calls.map(([text]) => String(text))).toEqual(OUTPUTS[name]);
  } finally {
    log.mockRestore();
  }
});
