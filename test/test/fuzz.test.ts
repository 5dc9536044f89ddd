import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runInput } from '../fuzz/engine/run-input.ts';
import { corpusFiles, findingFiles } from '../fuzz/store.ts';
import { targets } from '../fuzz/targets/index.ts';

describe.each([...targets.keys()])('%s', (name) => {
  test('has a corpus, and every input of it, and every past finding, keeps the properties', async () => {
    const { target } = await targets.get(name)!();
    const files = [...corpusFiles(name), ...findingFiles(name)];
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect.soft(await runInput(target, readFileSync(file)), file).toBeUndefined();
    }
  });
});
