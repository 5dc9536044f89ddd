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
  const { code, lines, errors } = await soak('--minutes', '0.25', '--requests', '1500');

  expect(lines).toContain('| calls that failed and should not have | 0 |');
  // Whether everything is flat says nothing yet: caches and compiled code still grow.
  expect(errors).not.toMatch(/left|Error|requests/);
  expect([code, lines.at(-1)]).toEqual(errors === '' ? [0, 'Everything is flat.'] : [1, 'The run failed.']);
  expect(lines.find((line) => line.startsWith('| requests |'))).toMatch(/ 1,[5-9]\d{2} \|$/);
});

test('a run that sends fewer requests than asked for fails', { timeout: 90_000 }, async () => {
  const { code, lines, errors } = await soak('--minutes', '0.1', '--requests', '1000000');

  expect(errors).toMatch(/^Sent [\d,]+ of 1,000,000 requests: this machine is too slow for the pace\./m);
  expect([code, lines.at(-1)]).toEqual([1, 'The run failed.']);
});

test('an unknown flag ends the command', async () => {
  const { code, errors } = await soak('--minute', '1');
  expect(code).toBe(2);
  expect(errors).toBe('test:soak: Unknown flag --minute. Did you mean --minutes? See --help.\n');
});
