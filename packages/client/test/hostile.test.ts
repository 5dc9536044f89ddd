import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { InvalidResponseError, TimeoutError } from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import type { Responder } from './support/server.ts';
import { hang, json, stall, startServer, success } from './support/server.ts';

const text =
  (body: string): Responder =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };

test.each<[string, Responder, RegExp]>([
  ['bad JSON', text('{"success":true,"data":{'), /not JSON/],
  ['success: false', json(200, { success: false, error: 'no', code: 'NO' }), /without `success: true`/],
  ['`success: true` alone', json(200, { success: true }), /without `success: true` and `data`/],
  ['null as its body', text('null'), /without `success: true`/],
  ['an array as its body', text('[]'), /without `success: true`/],
  ['success as a string', json(200, { success: 'true', data: {} }), /without `success: true`/],
])('a 200 with %s throws InvalidResponseError', async (_, responder, message) => {
  const server = await startServer(responder);
  const call = clientAt(server.url).leads.get(ids.lead);
  const error = await errorOf(call, InvalidResponseError);
  expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200, operation: 'leads.get' });
  expect(error.message).toMatch(message);
  expect(server.arrivals).toHaveLength(1);
});

test.each([
  ['breaks off', (response: ServerResponse) => void response.destroy()],
  ['stalls', () => {}],
])('a 429 whose body %s is still retried after its Retry-After', async (_, end) => {
  const server = await startServer((_, response) => {
    response.writeHead(429, { 'retry-after': '7', 'content-length': '1000' });
    response.write('{"success":false,', () => end(response));
  }, success(lead));
  const clock = createTestClock();
  const head = createGate();
  const call = clientAt(server.url, {
    clock,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      head.open();
      return response;
    },
  }).leads.create({ phone: '+5511987654321' });
  await head.opened;
  await new Promise(setImmediate);
  clock.advance(30_000);
  expect(await call).toEqual(lead);
  expect(clock.waits).toEqual([7_000]);
});

test('a response that came through a redirect is refused', async () => {
  const confab = clientWith({
    fetch: async () =>
      Object.defineProperty(Response.json({ success: true, data: lead }), 'redirected', { value: true }),
  });
  const error = await errorOf(confab.leads.get(ids.lead), InvalidResponseError);
  expect(error.message).toContain('A followed redirect would carry the API key.');
});

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is refused, and the other host sees nothing',
  async (status) => {
    const other = await startServer(success(lead));
    const server = await startServer((_, response) => {
      response.writeHead(status, { location: `${other.url}/elsewhere?token=of-others#of-others` }).end();
    });
    const confab = clientAt(server.url);
    const error = await errorOf(confab.leads.get(ids.lead), InvalidResponseError);
    expect(error.status).toBe(status);
    expect(error.message).toContain(`redirected to ${other.url}/elsewhere. A followed redirect would`);
    expect(inspect(error, { showHidden: true })).not.toContain('of-others');
    expect(other.arrivals).toEqual([]);
    expect(server.arrivals).toHaveLength(1);
  },
);

test.each([
  ['breaks off', (response: ServerResponse) => response.destroy()],
  ['is too large', (response: ServerResponse) => response.end('x'.repeat(99))],
])('a redirect throws the error of a redirect, even if its body %s', async (_, finish) => {
  const server = await startServer((__, response) => {
    response.writeHead(302, { location: '/elsewhere', 'content-length': '100' });
    response.write('x', () => finish(response));
  });
  const confab = clientAt(server.url, { maxResponseBytes: 10 });
  const error = await errorOf(confab.leads.get(ids.lead), InvalidResponseError);
  expect(error.message).toContain('leads.get was redirected to /elsewhere.');
  expect(server.arrivals).toHaveLength(1);
});

test.each([
  ['headers that never come', hang],
  ['a body that stalls', stall],
])('`timeout` limits an attempt with %s', async (_, responder) => {
  const server = await startServer(responder);
  const clock = createTestClock();
  const confab = clientAt(server.url, { clock, retry: false });
  const call = confab.leads.get(ids.lead, { timeout: 4_500 });
  await server.arrived(1);
  clock.advance(4_499);
  await Promise.race([call, new Promise(setImmediate)]);
  clock.advance(1);
  const error = await errorOf(call, TimeoutError);
  expect(error).toMatchObject({ kind: 'attempt', code: 'TIMEOUT', attempts: 1 });
  expect(error.message).toBe(
    'leads.get received no complete response within 4.5 s (attempt 1). If it may take longer, raise `timeout`.',
  );
});

test('`totalTimeout` limits attempts and waits together', async () => {
  const server = await startServer(hang);
  const clock = createTestClock();
  const confab = clientAt(server.url, { clock });
  const call = confab.leads.get(ids.lead, {
    timeout: 40_000,
    totalTimeout: 50_000,
    retry: { baseDelay: 0 },
  });
  await server.arrived(1);
  clock.advance(40_000);
  await server.arrived(2);
  clock.advance(10_000);
  expect(await errorOf(call, TimeoutError)).toMatchObject({ kind: 'total', attempts: 2 });
});

test('`totalTimeout` includes the time in the queue', async () => {
  const server = await startServer(hang);
  const clock = createTestClock();
  const confab = clientAt(server.url, { clock, concurrency: 1, retry: false });
  const first = confab.leads.get(ids.lead, { timeout: 60_000 });
  await server.arrived(1);
  const second = confab.leads.get(ids.lead, { totalTimeout: 20_000 });
  await eventually(() => expect(confab.rateLimit.queued).toBe(1));
  clock.advance(20_000);
  const error = await errorOf(second, TimeoutError);
  expect(error).toMatchObject({ kind: 'total', attempts: 0 });
  expect(error.message).toBe(
    'leads.get waited 20 s for a free slot (`concurrency` is 1) until its total timeout of 20 s ended, so nothing was sent. If it may take longer, raise `totalTimeout`.',
  );
  expect(confab.rateLimit).toMatchObject({ queued: 0, inFlight: 1 });
  clock.advance(40_000);
  await errorOf(first, TimeoutError);
});

const reason = new Error('changed my mind');

test('a call with an aborted signal is not sent, and rejects with the reason of the signal', async () => {
  const server = await startServer(success(lead));
  const confab = clientAt(server.url);
  const call = confab.leads.get(ids.lead, { signal: AbortSignal.abort(reason) });
  expect(await errorOf(call, Error)).toBe(reason);
  expect(server.arrivals).toEqual([]);
});

test.each([
  ['headers', hang],
  ['the body', stall],
])('an abort ends a call that waits for %s', async (_, responder) => {
  const server = await startServer(responder);
  const controller = new AbortController();
  const confab = clientAt(server.url);
  const call = confab.leads.get(ids.lead, { signal: controller.signal });
  await server.arrived(1);
  controller.abort(reason);
  expect(await errorOf(call, Error)).toBe(reason);
  expect(server.arrivals).toHaveLength(1);
});
