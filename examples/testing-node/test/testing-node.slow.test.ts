import { join } from 'node:path';
import { runProcess } from '@confab/internal/test-support';
import { expect, test } from 'vitest';

test('the tests of the example pass under node:test', { timeout: 300_000 }, async () => {
  // The command is that of `pnpm test` in this package.
  const args = ['--conditions=@confab/source', '--test', '--test-reporter=tap', 'test/*.node.ts'];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const options = { cwd: join(import.meta.dirname, '..'), env };
  const { code, lines, errors } = await runProcess(process.execPath, args, options);
  expect({ code, errors }, lines.join('\n')).toEqual({ code: 0, errors: '' });
  expect(lines).toContain('# pass 7');
});
