import { expect, test } from 'vitest';
import { sendRaw, start, statusOf } from '../support/serving.ts';

const AGENTS = ['GET /api/v2/public/agents HTTP/1.1', 'host: 127.0.0.1'];

test('statuses that have no body go out without one, and without a length', async () => {
  const { mock, server } = await start();
  for (const fault of [{ status: 204 }, { status: 304 }, { status: 204, network: 'truncate' }] as const) {
    mock.faults.once('agents.list', fault);
    const answer = await sendRaw(server.url, AGENTS);
    expect([fault, statusOf(answer)]).toEqual([fault, fault.status]);
    expect(answer).not.toMatch(/content-length|transfer-encoding/i);
    expect(answer).toMatch(/\r\n\r\n$/);
  }
  mock.faults.once('agents.list', { status: 205 });
  expect(await sendRaw(server.url, AGENTS)).toMatch(/^HTTP\/1\.1 205 .*\r\n\r\n(?:0\r\n\r\n)?$/s);
});

test('how the body is framed is up to the server, whatever headers a fault has', async () => {
  const { mock, server } = await start();
  for (const headers of [
    { 'Content-Length': '7' },
    { 'transfer-encoding': 'chunked' },
    { 'Transfer-Encoding': 'gzip, chunked', 'content-length': '7' },
    { trailer: 'x-checksum' },
  ]) {
    mock.faults.once('agents.list', { body: 'Ünsound', headers: { ...headers, 'x-kept': 'yes' } });
    const answer = await sendRaw(server.url, AGENTS);
    const [head = '', body] = answer.split('\r\n\r\n');
    expect([headers, statusOf(answer), body]).toEqual([headers, 200, 'Ünsound']);
    expect(head).toMatch(/^content-length: 8$/im);
    expect(head).not.toMatch(/^(?:transfer-encoding|trailer):/im);
    expect(head).toMatch(/^x-kept: yes$/im);
  }
  expect(mock.requests.all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
