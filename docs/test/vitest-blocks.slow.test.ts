import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMock } from '@confab/mock';
import { test as testWithMock } from '@confab/mock/vitest';
import { describe, expect, test } from 'vitest';
import { blocksOf, fileNameOf, writeBlocks } from './support/blocks.ts';
import { setStage } from './support/stage.ts';

const tests = blocksOf('vitest');
const folder = writeBlocks(
  'vitest',
  tests.map(([, block]) => block),
);
writeFileSync(join(folder, 'recording.json'), JSON.stringify(createMock({ data: 'demo' }).dump()));
await setStage();

test('the guides have code blocks with tests for vitest', () => {
  expect(tests.length).toBeGreaterThan(3);
});

// The import of a block declares its tests while vitest collects those of this file.
describe.for(tests)('the code block at %s:', async ([, block]) => {
  await import(join(folder, fileNameOf(block)));
  if (block.code.includes('retry: false')) {
    testWithMock('the options in the block apply to tests', async ({ mock, confab }) => {
      expect(mock.leads.count()).toBeGreaterThan(0);
      mock.faults.once('agents.list', { status: 503 });
      await expect(confab.agents.list()).rejects.toThrow('503');
      expect(mock.requests.of('agents.list')).toHaveLength(1);
    });
  }
  if (block.code.includes("test.override('failOn'")) {
    testWithMock('the options in the block allow an unused fault', ({ mock }) => {
      mock.faults.once('agents.list', { status: 503 });
    });
  }
});
