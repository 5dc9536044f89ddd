import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually, listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { KEY, startForwarding } from '../support/forwarding.ts';
import { idOf, json, leadOf, pageOf, startRealService } from '../support/real-service.ts';
import { certificate } from '../support/secure.ts';
import { start } from '../support/serving.ts';

/** Sends a target unchanged, which `fetch` would correct, and resolves to the status. */
const statusAt = async (url: string, path: string): Promise<number> => {
  const [response] = await once(request(url, { path }).end(), 'response');
  return response.resume().statusCode;
};

test('the proxy passes requests and responses on unchanged, except for the headers of the connection', async () => {
  const url = await listen((incoming, outgoing) => {
    outgoing
      .writeHead(200, {
        ...{ 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-ratelimit-limit': '60' },
        ...{ connection: 'x-hop', 'x-hop': '1', 'set-cookie': 'a=b' },
      })
      .end(gzipSync(JSON.stringify({ url: incoming.url, headers: incoming.headers })));
  });
  const { call } = await startForwarding(`${url}/base/`);
  const response = await call('leads?search=caf%C3%A9&limit=2', {
    headers: { cookie: 'session=1', 'x-request-id': 'abc', te: 'trailers' },
  });
  const { url: target, headers } = await response.json();
  expect(target).toBe('/base/api/v2/public/leads?search=caf%C3%A9&limit=2');
  expect(headers).toMatchObject({ 'x-api-key': KEY, 'x-request-id': 'abc', host: new URL(url).host });
  expect([headers.cookie, headers.te]).toEqual([undefined, undefined]);
  expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  for (const name of ['x-hop', 'set-cookie', 'content-encoding']) {
    expect([name, response.headers.get(name)]).toEqual([name, null]);
  }
});

test('--forward-key replaces the key of the caller, in either form, and pages cannot use it', async () => {
  const { url, received } = await startRealService();
  const { call } = await startForwarding(url, { key: 'confab_live_ours' });
  await call('agents', { headers: { authorization: 'Bearer mine' } });
  expect(received[0]?.headers).toMatchObject({ 'x-api-key': 'confab_live_ours' });
  expect(received[0]?.headers.authorization).toBeUndefined();
  // A page at a different port of this machine has a different origin.
  for (const headers of [{ origin: 'http://127.0.0.1:3000' }, { 'sec-fetch-site': 'same-site' }]) {
    expect((await call('agents', { headers })).status).toBe(403);
  }
  expect(received).toHaveLength(1);
});

test.each([
  ['/base/../admin', 400],
  ['/api/%2e%2e/%2e%2e/%2E%2E/admin', 400],
  ['/api/..%2f..%2f..%2fadmin', 400],
  ['http://127.0.0.1:1/api', 400],
  ['*', 400],
  ['//127.0.0.1:1/api', 400],
  ['/api/..;/admin', 400],
  ['/api/%252e%252e/admin', 400],
  ['/@127.0.0.1:1/api', 404],
])('the proxy keeps the target %s below the base URL', async (target, status) => {
  const { url, received } = await startRealService();
  const { server } = await startForwarding(url);
  expect(await statusAt(server.url, target)).toBe(status);
  expect(received.filter((request) => !request.url.startsWith('/base/'))).toEqual([]);
  expect(received).toHaveLength(status === 404 ? 1 : 0);
});

test('control endpoints and the admin token of a mock never reach the service', async () => {
  const { url, received } = await startRealService();
  const { server } = await startForwarding(url);
  const headers = { 'x-admin-token': 'hush', 'x-api-key': KEY };
  const reset = await fetch(`${server.url}/__mock/reset`, { method: 'POST', headers });
  expect([reset.status, (await reset.json()).error]).toEqual([404, expect.stringContaining('proxy')]);
  // The health check is about the proxy, whatever the service does.
  expect((await fetch(`${server.url}/__mock/health?probe=1`)).status).toBe(200);
  expect([received, server.drift.requests]).toEqual([[], 0]);
  await fetch(`${server.url}/api/v2/public/agents`, { headers });
  expect(received).toMatchObject([{ headers: { 'x-api-key': KEY } }]);
  expect(received[0]?.headers).not.toHaveProperty('x-admin-token');
});

test('drift in either direction is counted, and reported once with its operation and place', async () => {
  const service = await startRealService();
  const unknown = { nickname: 'Quita', '+5511987651001': 1, [KEY]: 1 };
  const drifted = leadOf(1, { phone: 55119, status: 'archived', ...unknown });
  const { server, call, reported } = await startForwarding(service.url);
  for (let at = 0; at < 3; at += 1) {
    service.once('GET leads', (_, outgoing) =>
      json(outgoing, 200, pageOf([drifted, drifted], { total: 'Quita' })),
    );
    await call('leads?limit=500&search=Quit%C3%A9ria');
  }
  const lines = [
    'leads.list request: query.limit must be a whole number from 1 to 100, got a number',
    'leads.list response: body.data[].phone must be a string, got a number',
    'leads.list response: body.data[].status must be one of "new", "active", "qualified", "converted", "lost", got "archived"',
    'leads.list response: body.data[].nickname is not in the contract',
    'leads.list response: body.data[].{…} is not in the contract',
    'leads.list response: body.data[].[redacted] is not in the contract',
    'leads.list response: body.meta.total must be a number, got a string',
  ];
  expect(reported.toSorted()).toEqual(lines.toSorted());
  expect(server.drift.summary().toSorted()).toEqual(lines.map((line) => `3 × ${line}`).toSorted());
});

test('the proxy checks statuses, codes, headers, envelopes and paths, and no line contains a value', async () => {
  const service = await startRealService();
  const html = { 'content-type': 'text/html' };
  for (const [status, body, headers] of [
    [200, { data: [] }],
    [429, { success: false, error: 'x', code: 'SLOW' }],
    [500, '<p>', html],
    [401, { success: false, error: KEY, code: KEY }],
  ] as const) {
    service.once('GET agents', (_, outgoing) => json(outgoing, status, body, headers));
  }
  const created = { success: true, data: leadOf(3, { phone: 7, displayname: 'Quitéria' }) };
  service.once('POST leads', (_, outgoing) => json(outgoing, 201, created));
  const { call, reported } = await startForwarding(service.url);
  for (let at = 0; at < 4; at += 1) {
    await call('agents');
  }
  await call('leads', { method: 'POST', body: '{"phone":7,"displayname":"Quitéria"}' });
  await call('contacts/+5511987651001/Quitéria', { method: 'PUT' });
  expect(reported).toEqual([
    'agents.list response: body.success must be true, got undefined',
    'agents.list response: headers.x-ratelimit-limit must be a whole number, got none',
    'agents.list response: headers.x-ratelimit-remaining must be a whole number, got none',
    'agents.list response: headers.retry-after must be a whole number, got none',
    'agents.list response: body.code must be "RATE_LIMIT_EXCEEDED", got "SLOW"',
    'agents.list response: status must be 200, or 400, 401, 403, 404, 409, 429 for an error, got 500',
    'agents.list response: headers.content-type must be application/json, got text/html',
    'agents.list response: body.code must be one of "API_KEY_REQUIRED", "API_KEY_INVALID", got a string',
    'leads.create request: body.phone must be a string, got a number',
    'leads.create request: body has unknown fields: displayname',
    'leads.create response: body.data.phone must be a string, got a number',
    'leads.create response: body.data.displayname is not in the contract',
    'PUT /api/v2/public/contacts/{…}/{…} request: path belongs to no operation of the contract',
  ]);
});

test('a service that is down, slow, redirects or sends too much causes an error response, and a line', async () => {
  const service = await startRealService();
  const moved = { location: 'https://evil.example/' };
  service.once('GET agents', (_, outgoing) => outgoing.writeHead(302, moved).end());
  service.once('GET agents', (_, outgoing) => outgoing.writeHead(200).end('x'.repeat(2_001)));
  service.once('GET agents', () => {});
  const limits = { responseBytes: 2_000, timeout: 300 };
  const { call, reported } = await startForwarding(service.url, { limits });
  const outcome = async (response: Response) => [response.status, (await response.json()).code];
  expect(await outcome(await call('agents'))).toEqual([502, 'REDIRECT_REFUSED']);
  expect(await outcome(await call('agents'))).toEqual([502, 'RESPONSE_TOO_LARGE']);
  expect(await outcome(await call('agents'))).toEqual([504, 'UPSTREAM_TIMEOUT']);
  expect(reported).toHaveLength(3);
  const closed = createServer();
  const url = await listen(closed);
  closed.close();
  const down = await startForwarding(url);
  expect(await outcome(await down.call('agents'))).toEqual([502, 'UPSTREAM_UNREACHABLE']);
  await down.call('leads');
  expect(down.reported).toEqual([expect.stringMatching(`^The service at ${url} could .* ECONNREFUSED`)]);
  expect(down.server.drift.summary()).toEqual([]);
});

test('a certificate of an unknown authority causes a 502 that says how to trust it', async () => {
  const { ca: _, ...tls } = await certificate();
  const { server } = await start({ tls });
  const response = await (await startForwarding(server.url)).call('agents');
  const error = expect.stringMatching(/unable to verify the first certificate.* NODE_EXTRA_CA_CERTS set to/);
  expect([response.status, await response.json()]).toEqual([502, expect.objectContaining({ error })]);
});

test('the proxy refuses a body over 1 MiB, and requests that it sent itself', async () => {
  const { url, received } = await startRealService();
  const { call } = await startForwarding(url);
  expect((await call('leads', { method: 'POST', body: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413);
  expect(received).toEqual([]);
  expect((await call('agents', { headers: { via: '1.1 confab-mock' } })).status).toBe(502);
});

test('the proxy passes on at most 100 different keys, because it must remember each', async () => {
  const service = await startRealService();
  const { call } = await startForwarding(service.url);
  const statuses = [];
  for (let at = 0; at < 102; at += 1) {
    statuses.push((await call('agents', { headers: { 'x-api-key': `made-up-${at}` } })).status);
  }
  expect(new Set(statuses.slice(0, 100))).not.toContain(503);
  expect(statuses.slice(100)).toEqual([503, 503]);
});

test('a caller of the proxy that disconnects ends its request to the service', async () => {
  let ended = false;
  const url = await listen((_, outgoing) => {
    outgoing.once('close', () => {
      ended = true;
    });
    caller.destroy();
  });
  const { server } = await startForwarding(url);
  const caller = connect(Number(new URL(server.url).port), '127.0.0.1');
  caller.on('error', () => {});
  caller.write('GET /api/v2/public/agents HTTP/1.1\r\nhost: a\r\n\r\n');
  await eventually(() => expect(ended).toBe(true));
  expect(server.data().faults).toEqual([]);
});

test('a recording keeps personal data on request, and keys never', async () => {
  const service = await startRealService();
  const refused = { success: false, error: `Key ${KEY} sees no lead`, code: 'NO_LEAD' };
  service.once(`GET leads/${idOf(9)}`, (_, outgoing) => json(outgoing, 404, refused));
  const { server, call } = await startForwarding(service.url, { keepPersonalData: true });
  await call('leads');
  await call(`leads/${idOf(9)}`);
  const { leads, faults } = server.data();
  expect(leads).toMatchObject([{ phone: '+5511987651001' }, { displayName: 'Quitéria Nº2 Prado' }]);
  const body = { ...refused, error: 'Key [redacted] sees no lead' };
  expect(faults).toEqual([{ operation: 'leads.get', fault: { status: 404, body } }]);
});
