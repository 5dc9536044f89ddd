import https from 'node:https';
import { expect, test } from 'vitest';
import { hosts } from '../support/hosts.ts';
import { ask, start, statusOf } from '../support/serving.ts';

for (const host of hosts) {
  test(`HEAD returns what GET returns, without the body (${host.name})`, async () => {
    await using service = await host.open({ rateLimit: { requests: 10, perMs: 60_000, headers: 'always' } });
    const { mock } = service;
    const { fetch = globalThis.fetch, baseUrl } = service.clientOptions;
    const look = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(baseUrl + path, { method: 'HEAD', headers });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    const key = { 'x-api-key': mock.apiKey };
    expect(await look('/api/v2/public/agents', key)).toEqual([200, 'application/json', '']);
    expect(await look('/api/v2/public/agents', {})).toEqual([401, 'application/json', '']);
    expect(await look('/api/v2/public/leads/none', key)).toEqual([400, 'application/json', '']);
    expect(await look('/api/v2/public/nothing', key)).toEqual([404, 'application/json', '']);
    mock.faults.once('agents.list', { network: 'truncate' });
    expect(await look('/api/v2/public/agents', key)).toEqual([200, 'application/json', '']);
    expect(mock.requests.all[0]).toMatchObject({ operation: 'agents.list', method: 'HEAD', status: 200 });
  });
}

test('over TCP, HEAD says how long the body of GET is, and the connection goes on', async () => {
  await using service = await start();
  const { mock, server } = service;
  const get = await fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  const length = (await get.arrayBuffer()).byteLength;
  const answer = await ask(server.url, [
    'HEAD /api/v2/public/agents HTTP/1.1',
    'host: 127.0.0.1',
    `x-api-key: ${mock.apiKey}`,
    '',
    'HEAD /openapi.json HTTP/1.1',
    'host: 127.0.0.1',
  ]);
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(answer).toContain(`content-length: ${length}\r\n`);
  expect(answer).not.toContain('{');
});

test('HEAD through node:https and msw ends without a body', async () => {
  const msw = hosts.find(({ name }) => name === 'msw');
  await using service = await msw?.open();
  const { mock } = service!;
  const status = await new Promise((resolve, reject) => {
    const url = `${mock.baseUrl}/api/v2/public/agents`;
    https
      .request(url, { method: 'HEAD', headers: { 'x-api-key': mock.apiKey } }, (incoming) => {
        let text = '';
        incoming.on('data', (chunk) => {
          text += chunk;
        });
        incoming.on('end', () => resolve([incoming.statusCode, text]));
      })
      .on('error', reject)
      .end();
  });
  expect(status).toEqual([200, '']);
});

test('GET /__mock/health returns 200 to every caller, even where everything else is closed', async () => {
  for (const options of [{}, { adminToken: 'hush' }, { host: '0.0.0.0' }]) {
    await using service = await start(options);
    const { server, control } = service;
    expect(await control('GET', 'health')).toEqual({ status: 200, success: true, data: { status: 'ok' } });
    const probe = await ask(server.url, ['HEAD /__mock/health HTTP/1.1', 'host: mock.example']);
    expect(statusOf(probe)).toBe(200);
    expect(probe).not.toContain('ok"');
    expect((await control('POST', 'health')).status).not.toBe(200);
  }
});
