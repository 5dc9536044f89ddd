import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';

const execute = promisify(execFile);

/** Calls through the platform's fetch and through ky. */
const PROGRAM = `
import { createClient } from '@confab/client';
import { kyFetch } from '@confab/client/ky';
const [baseUrl, apiKey] = process.argv.slice(1);
for (const fetch of [globalThis.fetch, kyFetch()]) {
  const agents = await createClient({ baseUrl, apiKey, fetch, retry: false }).agents.list();
  console.log(agents.length > 0);
}
`;

test('ky and the client trust the certificate of --tls only with NODE_EXTRA_CA_CERTS', async () => {
  const server = run('--port', '0', '--quiet', '--tls');
  await server.printed(/ca\.pem\n$/);
  const [url = '', key = '', ca = ''] = server.output().split('\n');
  const call = (env: Record<string, string>) =>
    execute(
      process.execPath,
      ['--conditions=@confab/source', '--input-type=module', '-e', PROGRAM, url, key],
      { cwd: import.meta.dirname, env: { ...process.env, ...env } },
    );
  expect((await call({ NODE_EXTRA_CA_CERTS: ca })).stdout).toBe('true\ntrue\n');
  await expect(call({ NODE_EXTRA_CA_CERTS: '' })).rejects.toThrow(/ConnectionError/);
});
