import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** In a process of its own, because the test runner needs these too. */
const PROGRAM = `
  for (const name of ['TextDecoder', 'TextEncoder', 'fetch', 'Request', 'Response', 'Headers', 'crypto']) {
    delete globalThis[name];
  }
  const { createWebhooks } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url))});
  console.log(typeof createWebhooks);
`;

test('the package can be imported where little of the web platform is, as under Jest’s jsdom', async () => {
  const { stdout } = await run(process.execPath, [
    '--conditions=@confab/source',
    '--input-type=module',
    '--eval',
    PROGRAM,
  ]);
  expect(stdout).toBe('function\n');
});
