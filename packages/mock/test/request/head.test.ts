import { expect, test } from 'vitest';
import { hosts } from '../support/hosts.ts';
import { ask, start } from '../support/serving.ts';

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
