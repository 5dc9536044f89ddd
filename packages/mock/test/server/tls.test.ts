import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { createLocalCertificate } from '../../src/cli/local-certificate.ts';
import { createMock } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { listen } from '../../src/server/serve.ts';
import { startInProcess, writeTempFile } from '../support/command.ts';
import { certificate, requestOverTls } from '../support/secure.ts';
import { connectTo, start } from '../support/serving.ts';

const AGENTS = '/api/v2/public/agents';

test('with a certificate, serve() listens over HTTPS, and its URL begins with https', async () => {
  const { ca, ...tls } = await certificate();
  const service = await start({ tls: { cert: tls.cert, key: new TextEncoder().encode(tls.key) } });
  const { url } = service.server;
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const headers = { 'x-api-key': service.mock.apiKey };
  for (const base of [url, url.replace('127.0.0.1', 'localhost')]) {
    expect((await requestOverTls(base + AGENTS, { ca, headers })).status).toBe(200);
  }
  const { body } = await requestOverTls(`${url}/openapi.json`, { ca });
  expect(JSON.parse(body).servers).toMatchObject([{ url }]);
  await expect(requestOverTls(url)).rejects.toThrow(/certificate/);
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();
});

test('over TLS, requests under any host name are accepted, except to the control endpoints', async () => {
  const { ca, ...tls } = await certificate();
  const service = await start({ tls });
  const { url } = service.server;
  const headers = { 'x-api-key': service.mock.apiKey, host: 'mock.example' };
  const options = { ca, headers, servername: 'localhost' };
  expect((await requestOverTls(url + AGENTS, options)).status).toBe(200);
  expect((await requestOverTls(`${url}/__mock/state`, options)).status).toBe(403);
});

test('a connection that never finishes its TLS handshake is closed after a while, and by close()', async () => {
  const { ca: _, ...tls } = await certificate();
  for (const [requestTimeout, closes] of [[50], [10_000, true]] as const) {
    const server = await listen(createMock(), { tls, limits: { requestTimeout } });
    const { closed } = await connectTo(server.url);
    await (closes && server.close());
    await closed;
    await server.close();
  }
});

test('a certificate that does not match its key is refused', async () => {
  const [one, other] = [await certificate(), await createLocalCertificate()];
  const serving = serve(createMock(), { tls: { cert: one.cert, key: other.key } });
  await expect(serving).rejects.toThrow('`tls` must be a certificate and its private key');
});

test('--tls prints the file of the authority that signed its certificate, and deletes it at the end', async () => {
  const { url, key, banner, stop } = await startInProcess('--tls');
  const [, file = ''] = /CA +(\S+) /.exec(banner) ?? [];
  const ca = readFileSync(file, 'utf8');
  expect(ca).not.toContain('PRIVATE KEY');
  expect((await requestOverTls(url + AGENTS, { ca, headers: { 'x-api-key': key } })).status).toBe(200);
  expect(banner).toContain(`curl --cacert '${file}' -H`);
  await stop();
  expect(existsSync(file)).toBe(false);
});

test('beyond loopback, the certificate is valid for the name of this machine too', async () => {
  const { url, banner } = await startInProcess('--tls', '--host', '0.0.0.0');
  expect(banner).not.toContain('must come over TLS');
  const ca = readFileSync(/CA +(\S+) /.exec(banner)?.[1] ?? '', 'utf8');
  expect((await requestOverTls(url + AGENTS, { ca, servername: hostname() })).status).toBe(401);
  const elsewhere = requestOverTls(url + AGENTS, { ca, servername: 'else.example' });
  await expect(elsewhere).rejects.toThrow(/else\.example/);
});

test('--tls-cert and --tls-key serve with a certificate of the user’s own', async () => {
  const { ca, cert, key } = await certificate();
  const files = ['--tls-cert', writeTempFile('cert.pem', cert), '--tls-key', writeTempFile('key.pem', key)];
  const { url, banner } = await startInProcess(...files);
  expect(banner).not.toContain('CA  ');
  expect((await requestOverTls(url + AGENTS, { ca })).status).toBe(401);
});
