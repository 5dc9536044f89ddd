import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

const INDEX = JSON.stringify(new URL('../src/index.ts', import.meta.url));

/** Runs a program in a separate process, because the test runner needs the globals that it changes. */
const outputOf = async (program: string): Promise<string> => {
  const args = ['--conditions=@confab/source', '--input-type=module', '--eval', program];
  return (await run(process.execPath, args)).stdout;
};

test('the package can be imported without the globals of the web platform, as in Jest’s jsdom', async () => {
  const program = `
    for (const name of ['TextDecoder', 'TextEncoder', 'fetch', 'Request', 'Response', 'Headers', 'crypto']) {
      delete globalThis[name];
    }
    const { createWebhooks } = await import(${INDEX});
    console.log(typeof createWebhooks);
  `;
  expect(await outputOf(program)).toBe('function\n');
});

test.each([
  ['is a getter that throws', 'get() { throw new Error("not supported in the Edge Runtime"); }'],
  ['throws', 'value() { throw new Error("not supported in the Edge Runtime"); }'],
])(
  'createWebhooks() works if process.getBuiltinModule %s, as in the edge runtime of Next.js',
  async (_, property) => {
    const program = `
    Object.defineProperty(process, 'getBuiltinModule', { ${property} });
    const { createWebhooks, sign } = await import(${INDEX});
    const options = { secret: 'a secret of the test', signature: { header: 'x-sig' } };
    const headers = await sign('{}', options);
    console.log(JSON.stringify(await createWebhooks(options).verify('{}', headers)));
  `;
    expect(await outputOf(program)).toBe('{"secretIndex":0}\n');
  },
);
