import { fileURLToPath } from 'node:url';
import { runProgram } from '@confab/internal/test-support';
import { expect, test } from 'vitest';

const soak = (...args: string[]) =>
  runProgram(process.execPath, [
    '--conditions=@confab/source',
    '--expose-gc',
    fileURLToPath(new URL('../soak/main.ts', import.meta.url)),
    ...args,
  ]);

test('a short run ends with a server that is as idle as before, and no call that should not fail does', {
  timeout: 90_000,
}, async () => {
  const { lines, errors } = await soak('--minutes', '0.15', '--requests', '1500');

  expect(lines).toContain('| calls that failed and should not have | 0 |');
  // Whether everything is flat says nothing yet: caches and compiled code still grow.
  expect(errors).not.toMatch(/left|Error/);
  expect(lines.find((line) => line.startsWith('| requests |'))).toMatch(/ \d,?\d{3} \|$/);
});

test('an unknown flag ends the command', async () => {
  const { code, errors } = await soak('--minute', '1');
  expect(code).toBe(1);
  expect(errors).toContain("Unknown option '--minute'");
});
