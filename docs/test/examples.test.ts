import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { read } from '../.vitepress/content/repository.ts';
import { EXAMPLES } from '../playground/examples.ts';
// Otherwise, the first example would load these and seem slow.
import '@confab/client';
import '@confab/mock';
import '@confab/webhooks';
import { promisedOutput } from './support/blocks.ts';

const files = readdirSync(join(import.meta.dirname, '../playground/examples')).map((name) =>
  basename(name, '.ts'),
);

test('the playground offers every file in docs/playground/examples', () => {
  expect(EXAMPLES).toHaveLength(files.length);
});

test.for(files)('the example %s of the playground prints what its comments promise', async (name) => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await import(`../playground/examples/${name}.ts`);
    const code = read(`docs/playground/examples/${name}.ts`);
    expect(log.mock.calls.map(([text]) => String(text))).toEqual(promisedOutput({ code }));
  } finally {
    log.mockRestore();
  }
});
