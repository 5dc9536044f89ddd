import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, runWith } from '../support/command.ts';
import { certificate } from '../support/secure.ts';
import { start } from '../support/serving.ts';

test.each([
  ['127.0.0.1', 200, /^confab-mock: 1 request passed on, no drift from the contract\n$/],
  // The message has no advice to trust the authority, which would not help.
  ['127.0.0.2', 502, /127\.0\.0\.2 is not in the cert's list: .* \(ERR_TLS_CERT_ALTNAME_INVALID\)(?!\. If)/],
])(
  'with NODE_EXTRA_CA_CERTS for a private authority, --forward to %s returns %d',
  async (host, status, says) => {
    const { ca, ...tls } = await certificate();
    const file = join(folder(), 'ca.pem');
    writeFileSync(file, ca);
    const { mock, server } = await start({ host: '0.0.0.0', tls });
    const service = server.url.replace('127.0.0.1', host);
    const proxy = runWith({ NODE_EXTRA_CA_CERTS: file }, '--port', '0', '--quiet', '--forward', service);
    await proxy.printed(/^http.*\n/);
    const url = `${proxy.output().trim()}/api/v2/public/agents`;
    expect((await fetch(url, { headers: { 'x-api-key': mock.apiKey } })).status).toBe(status);
    proxy.child.kill('SIGINT');
    expect((await proxy.ended).errors).toMatch(says);
  },
);
