import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

test('the suite of node:test passes', { timeout: 300_000 }, async () => {
  // As `pnpm test` of this package does.
  const args = ['--conditions=@confab/source', '--test', '--test-reporter=tap', 'test/*.node.ts'];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '..'), env });
  onTestFinished(() => void child.kill());
  const exited = once(child, 'exit');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await exited;
  expect({ status, errors }, output).toEqual({ status: 0, errors: '' });
  expect(output).toMatch(/^# pass 7$/m);
});
