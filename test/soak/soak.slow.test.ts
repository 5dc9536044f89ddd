import { fileURLToPath } from 'node:url';
import { runProcess } from '@confab/internal/test-support';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('main.ts', import.meta.url));
const flags = ['--conditions=@confab/source', program, '--minutes', '0.1', '--leak'];

test('the soak test fails a short run with a planted leak, although every request succeeds', async () => {
  const { code, lines, errors } = await runProcess(process.execPath, flags);
  expect(lines).toContain('| failures | 0 |');
  expect(errors).toMatch(/These grow: heap of the server, MiB.*; handles of the server/);
  expect(code).toBe(1);
}, 60_000);
