import { expect, test } from 'vitest';
import { hosts } from '../support/hosts.ts';
import { sendRaw, start } from '../support/serving.ts';

test.each(hosts)('HEAD returns the status and headers of GET without a body, through $name', async (host) => {
  const { mock, clientOptions } = await host.open();
  const { fetch = globalThis.fetch, baseUrl } = clientOptions;
  mock.faults.once('leads.list', { network: 'truncate' });
  for (const [path, key, status] of [
    ['agents', mock.apiKey, 200],
    ['agents', '', 401],
    ['leads/none', mock.apiKey, 400],
    ['nothing', mock.apiKey, 404],
    ['leads', mock.apiKey, 200],
  ] as const) {
    const init = { method: 'HEAD', headers: { 'x-api-key': key } };
    const response = await fetch(`${baseUrl}/api/v2/public/${path}`, init);
    expect([path, response.status, await response.text()]).toEqual([path, status, '']);
    expect(response.headers.get('content-type')).toBe('application/json');
  }
  expect(mock.requests.all[0]).toMatchObject({ operation: 'agents.list', method: 'HEAD', status: 200 });
});

test('over TCP, HEAD returns the content-length of GET and keeps the connection open', async () => {
  const { mock, server } = await start();
  const get = await fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  const length = (await get.arrayBuffer()).byteLength;
  const answer = await sendRaw(server.url, [
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
