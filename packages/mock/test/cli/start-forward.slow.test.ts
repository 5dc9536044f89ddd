import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { folder, runWith } from '../support/command.ts';
import { certificate } from '../support/secure.ts';

const LEADS = '/api/v2/public/leads';

/** A service over TLS, and what a proxy in front of it responds with. */
const forwarded = async (env: (ca: string) => Record<string, string | undefined>, host = '127.0.0.1') => {
  const { ca, ...tls } = await certificate();
  const file = join(folder(), 'ca.pem');
  writeFileSync(file, ca);
  const mock = createMock({ data: 'demo' });
  await using server = await serve(mock, { port: 0, host: '0.0.0.0', tls });
  const url = server.url.replace('127.0.0.1', host);
  const proxy = runWith(env(file), '--port', '0', '--quiet', '--forward', url);
  await proxy.printed(/^http.*\n/);
  const response = await fetch(proxy.output().trim() + LEADS, { headers: { 'x-api-key': mock.apiKey } });
  const body = (await response.json()) as { data?: unknown[]; code?: string; error?: string };
  proxy.child.kill('SIGINT');
  return { status: response.status, body, url, ...(await proxy.ended) };
};

test('with NODE_EXTRA_CA_CERTS, --forward trusts the certificate of a private authority', async () => {
  const { status, body, code, errors } = await forwarded((ca) => ({ NODE_EXTRA_CA_CERTS: ca }));
  expect([status, body.data?.length, code]).toEqual([200, 25, 0]);
  expect(errors).toBe('confab-mock: 1 request passed on, no drift from the contract\n');
});

test.each([
  ['127.0.0.1', false, /unable to verify the first certificate.* NODE_EXTRA_CA_CERTS set to/],
  ['127.0.0.2', true, /127\.0\.0\.2 is not in the cert's list: .* \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
])('a certificate that is not trusted for %s is a 502 that says what to do', async (host, trusted, says) => {
  const env = (ca: string) => ({ NODE_EXTRA_CA_CERTS: trusted ? ca : undefined });
  const { status, body, url, code, errors } = await forwarded(env, host);
  expect([status, body.code, code]).toEqual([502, 'UPSTREAM_UNREACHABLE', 0]);
  expect(body.error).toContain(`The service at ${url} could not be reached: `);
  expect(body.error).toMatch(says);
  expect(errors).toContain(body.error);
});
