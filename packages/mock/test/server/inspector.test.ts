import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { listen } from '../../src/server/serve.ts';
import type { MockServer, ServeOptions } from '../../src/server/serve-options.ts';
import { folder } from '../support/command.ts';
import { makeWorld, sendRaw, statusOf } from '../support/serving.ts';

/** Starts a mock server with a stand-in for the page of the inspector, which only a build contains. */
const serveStandIn = async (options: ServeOptions = {}): Promise<MockServer> => {
  const inspectorFolder = folder();
  mkdirSync(join(inspectorFolder, 'inspector'));
  writeFileSync(join(inspectorFolder, 'index.html'), '<!doctype html><title>Inspector</title>');
  writeFileSync(join(inspectorFolder, 'inspector/main-1a2b.js'), 'export {};');
  writeFileSync(join(inspectorFolder, 'inspector/main-1a2b.js.map'), '{}');
  const server = await listen(createMock(), { ...options, inspectorFolder });
  onTestFinished(() => server.close());
  return server;
};

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const PAGE = 'text/html; charset=utf-8';

const contentType = (response: Response) => response.headers.get('content-type');

test('a browser gets the page of the inspector at /__mock/, and a program gets the list of endpoints', async () => {
  const { url } = await serveStandIn();
  // The page needs the slash at the end of its address to find its files.
  const page = await fetch(`${url}/__mock`, { headers: HTML });
  expect([page.status, page.url, contentType(page)]).toEqual([200, `${url}/__mock/`, PAGE]);
  expect(page.headers.get('vary')).toBe('accept');
  expect(await page.text()).toContain('<title>Inspector');
  const list = await fetch(`${url}/__mock/`);
  expect([list.status, contentType(list)]).toEqual([200, 'application/json']);
  const head = await fetch(`${url}/__mock/`, { headers: HTML, method: 'HEAD' });
  expect([head.status, contentType(head), await head.text()]).toEqual([200, PAGE, '']);

  const { baseUrl } = await makeWorld({ url });
  const ofWorld = await fetch(`${baseUrl}/__mock`, { headers: HTML });
  expect([ofWorld.status, ofWorld.url]).toEqual([200, `${baseUrl}/__mock/`]);
  expect((await fetch(`${ofWorld.url}inspector/main-1a2b.js`)).status).toBe(200);
});

test('the inspector loads nothing from elsewhere, cannot be framed, runs no inline code, and is revalidated', async () => {
  const { url } = await serveStandIn();
  for (const [path, type, cache] of [
    ['', PAGE, 'no-cache'],
    ['inspector/main-1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ] as const) {
    const { headers } = await fetch(`${url}/__mock/${path}`, { headers: HTML });
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([type, cache]);
  }
});

test.each([
  'inspector/other.js',
  'inspector/main-1a2b.js.map',
  'inspector/',
  'inspector/../../package.json',
  'inspector/%2e%2e/%2e%2e/package.json',
  'inspector/..%2f..%2fpackage.json',
])('the server of the inspector does not read the file of /__mock/%s', async (path) => {
  const { url } = await serveStandIn();
  const answer = await sendRaw(url, [`GET /__mock/${path} HTTP/1.1`, `host: ${new URL(url).host}`]);
  expect(statusOf(answer)).toBe(404);
});

test('the inspector loads without the admin token, which it asks for; all of its data needs the token', async () => {
  const { url } = await serveStandIn({ adminToken: 'hush', host: '0.0.0.0' });
  for (const [path, headers, status] of [
    ['', HTML, 200],
    ['inspector/main-1a2b.js', HTML, 200],
    ['events', {}, 401],
    ['events', { 'x-admin-token': 'hush' }, 200],
  ] as const) {
    const response = await fetch(`${url}/__mock/${path}`, { headers: { ...headers } });
    expect([path, response.status]).toEqual([path, status]);
    await response.body?.cancel();
  }
});

test('without a token, the inspector is closed to other machines and to host names that resolve to this one', async () => {
  const [exposed, local] = [await serveStandIn({ host: '0.0.0.0' }), await serveStandIn()];
  const lines = ['GET /__mock/ HTTP/1.1', 'accept: text/html'];
  const status = async (url: string, host: string) =>
    statusOf(await sendRaw(url, [...lines, `host: ${host}`]));
  expect(await status(exposed.url, 'localhost')).toBe(403);
  expect(await status(local.url, 'evil.example')).toBe(403);
  expect(await status(local.url, 'localhost')).toBe(200);
});

test('the log of the server omits reads of the inspector, and includes its changes', async () => {
  await using mock = createMock();
  const seen: string[] = [];
  const { url } = await listen(mock, {
    onNonApiRequest: ({ method, target }) => seen.push(`${method} ${target}`),
  });
  const headers = { 'x-confab-inspector': '1' };
  await fetch(`${url}/__mock/state`, { headers });
  await fetch(`${url}/__mock/reset`, { headers, method: 'POST' });
  await fetch(`${url}/__mock/state`);
  await eventually(() => expect(seen).toEqual(['POST /__mock/reset', 'GET /__mock/state']));
});

test('mock.inspect() serves the mock on a port, and closing it leaves the mock and its deliveries alone', async () => {
  await using mock = createMock();
  const fetch500 = () => new Response(null, { status: 500 });
  mock.webhooks.add({ url: 'http://127.0.0.1:9/', secret: 'x', fetch: fetch500 });
  mock.webhooks.emit('test', {});
  const inspector = await mock.inspect();
  expect(inspector.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/__mock\/$/);
  expect((await fetch(`${inspector.url}health`)).status).toBe(200);
  const port = Number(new URL(inspector.url).port);
  await expect(mock.inspect({ port })).rejects.toMatchObject({ code: 'CANNOT_LISTEN' });
  await expect(mock.inspect({ prot: 1 } as object)).rejects.toThrow('Did you mean `port`?');
  await inspector.close();
  await expect(fetch(`${inspector.url}health`)).rejects.toThrow();
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['pending']);
  expect((await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`)).status).toBe(401);
});
