import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the quickstart runs to its end, prints each step, and exits by itself', {
  timeout: 30_000,
}, async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@confab/source', main]);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), exited]);

  expect(errors).toBe('');
  expect(status).toBe(0);
  expect(output.match(/^ *\d+\. /gm)).toHaveLength(10);
  expect(output).toContain('ConflictError: leads.create failed with 409');
  expect(output).toContain('Received, signature verified: message.created');
  expect(output).toContain('PermissionError, missingScope write:leads');
  expect(output).toMatch(/429: 5 requests are allowed; waiting [12]000 ms/);
  expect(output.trimEnd().endsWith('Every step succeeded.')).toBe(true);
});
