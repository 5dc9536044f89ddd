import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const demo = join(import.meta.dirname, '../src/demo.ts');

test('a copy that is killed again and again equals the service at the end', {
  timeout: 300_000,
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@confab/source', demo, '5']);
  expect(stdout.split('--- killed ---')).toHaveLength(6);
  expect(stdout.trim().split('\n').at(-1)).toBe('0 differences');
});
