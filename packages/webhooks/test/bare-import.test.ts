import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Runs in a separate process, because the test runner needs these globals. */
const PROGRAM = `
  for (const name of ['TextDecoder', 'TextEncoder', 'fetch', 'Request', 'Response', 'Headers', 'crypto']) {
    delete globalThis[name];
  }
  const { createWebhooks } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url))});
  console.log(typeof createWebhooks);
`;

test('the package can be imported without the globals of the web platform, as in Jest’s jsdom', async () => {
  const { stdout } = await run(process.execPath, [
    '--conditions=@confab/source',
    '--input-type=module',
    '--eval',
    PROGRAM,
  ]);
  expect(stdout).toBe('function\n');
});
