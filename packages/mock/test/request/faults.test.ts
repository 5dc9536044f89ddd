import { eventually, turns } from '@confab/internal/test-support';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { hold } from '../support/hold.ts';
import { hosts, open } from '../support/hosts.ts';
import { movedAlone } from '../support/real-time.ts';

const create = { body: { phone: '+5511987654321' } };

describe.each(hosts)('through $name', ({ open }) => {
  test('faults.once() and always() respond with the status, code and headers of the fault', async () => {
    const { mock, send } = await open();
    mock.faults.once('leads.create', { status: 503, code: 'DOWN', headers: { 'Retry-After': '2' } });
    const { status, body, headers } = await send('leads.create', create);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'DOWN', '2']);
    expect(mock.leads.count()).toBe(0);
    expect((await send('leads.create', create)).status).toBe(201);

    mock.faults.always('*', { status: 429 });
    expect([(await send('leads.list')).status, (await send('agents.list')).status]).toEqual([429, 429]);
    mock.faults.clear();
    expect((await send('leads.list')).status).toBe(200);
  });

  test("the fault network: 'error' breaks the connection before the operation runs, and 'truncate' after it has run", async () => {
    const { mock, send } = await open();
    mock.faults.once('leads.create', { network: 'error' });
    await expect(send('leads.create', create)).rejects.toThrow(TypeError);
    expect(mock.leads.count()).toBe(0);
    mock.faults.once('leads.create', { network: 'truncate' });
    await expect(send('leads.create', create)).rejects.toThrow();
    expect(mock.leads.count()).toBe(1);
    mock.faults.once('leads.list', { body: '', network: 'truncate' });
    await expect(send('leads.list')).rejects.toThrow();
    // The next requests need a new connection.
    for (let count = 0; count < 2; count += 1) {
      expect((await send('agents.list')).status).toBe(200);
    }
  });

  test("the faults network: 'hang' and 'stall' end when the caller gives up", async () => {
    const { mock, send } = await open();
    for (const [fault, status, leads] of [
      [{ network: 'hang' }, undefined, 0],
      [{ network: 'stall', body: '' }, 201, 0],
      [{ network: 'stall' }, 201, 1],
    ] as const) {
      mock.reset();
      mock.faults.once('leads.create', fault);
      const controller = new AbortController();
      const reason = new Error('enough');
      const waiting = send('leads.create', { ...create, signal: controller.signal });
      waiting.catch(() => {});
      await eventually(() => expect(mock.requests.all).toMatchObject([{ status }]));
      expect(mock.leads.count()).toBe(leads);
      controller.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      expect((await send('leads.list')).status).toBe(200);
    }
  });

  test('an operation does not run after its caller has given up', async () => {
    const { mock, send } = await open();
    const controller = new AbortController();
    const begin = () => send('leads.create', { ...create, signal: controller.signal });
    const { arrived, release } = hold(mock, 'leads.create');
    const creating = [begin()];
    await arrived;
    creating.push(begin());
    const reason = new Error('changed my mind');
    controller.abort(reason);
    expect(await Promise.allSettled(creating)).toEqual(Array(2).fill({ status: 'rejected', reason }));
    await eventually(() => expect(mock.requests.all[0]).toMatchObject({ status: undefined }));
    release(undefined);
    expect((await send('leads.list')).status).toBe(200);
    expect(mock.leads.count()).toBe(0);
  });
});

test.each(['hang', 'stall'] as const)(
  'the fault network: %o ends with the timeout of the caller',
  async (network) => {
    const { mock, send } = open();
    mock.faults.once('leads.list', { network });
    const controller = new AbortController();
    const began = mock.clock.now();
    void mock.clock.sleep(30_000, undefined, 'timeout').then(() => controller.abort(new Error('timed out')));
    await expect(send('leads.list', { signal: controller.signal })).rejects.toThrow('timed out');
    expect(mock.clock.now() - began).toBe(30_000);
    expect(await movedAlone(mock)).toBe(0);
  },
);

test("the fault network: 'stall' does not make time pass after the caller has given up", async () => {
  const { mock } = open();
  const url = `${mock.baseUrl}/api/v2/public/agents`;
  const headers = { 'x-api-key': mock.apiKey };
  for (const end of ['cancel', 'abort'] as const) {
    const controller = new AbortController();
    mock.faults.once('agents.list', { network: 'stall' });
    const reader = (await mock.fetch(url, { headers, signal: controller.signal })).body!.getReader();
    await reader.read();
    reader.read().catch(() => {});
    await turns(5);
    if (end === 'cancel') {
      await reader.cancel();
    } else {
      controller.abort();
    }
    expect(await movedAlone(mock)).toBe(0);
  }
});

test('a fault can send a body that is not JSON, different JSON, or headers on the usual response', async () => {
  const { mock, send } = open();
  mock.faults.once('leads.list', { body: '<html>502</html>', headers: { 'content-type': 'text/html' } });
  await expect(send('leads.list')).rejects.toThrow(SyntaxError);
  mock.faults.once('leads.list', { body: { success: true } });
  const odd = await send('leads.list');
  expect([odd.status, odd.body]).toEqual([200, { success: true }]);
  mock.faults.once('leads.list', { headers: { 'content-type': 'text/plain' } });
  const usual = await send('leads.list');
  expect([usual.headers.get('content-type'), usual.body.meta.total]).toEqual(['text/plain', 0]);
});

test.each<[fault: unknown, says: string]>([
  [503, '`fault` must be an object, got a number: pass { status: 503 }.'],
  [
    {},
    'A fault must have at least one of `status`, `code`, `headers`, `delayMs`, `bytesPerSecond`, `network`, `body`',
  ],
  [{ skip: 1 }, 'A fault must have at least one of'],
  [{ status: '500' }, '`fault.status` must be a whole number from 200 to 599, got "500"'],
  [{ delayMs: '5' }, '`fault.delayMs` must be a number of milliseconds of at least 0, got "5".'],
  [{ delayMs: 1e15 }, 'at most 100 years'],
  [{ delayMS: 1 }, 'Unknown fault field `delayMS`. Did you mean `delayMs`?'],
  [{ status: 503, times: 3 }, 'Unknown fault field `times`. Plan the fault once for each request'],
  [{ status: 429, retryAfter: 5 }, "`retryAfter`. It is a header: { headers: { 'retry-after': '5' } }."],
  [{ status: 500, params: { id: 'x' } }, '`params`. It belongs in `match`: { match: { params: { … } } }.'],
  [{ network: 'eror' }, '`fault.network` must be one of "error", "hang", "truncate", "stall", got "eror".'],
  [{ headers: { 'bad name': 'x' } }, 'bad name'],
  [{ headers: new Headers({ 'x-a': 'x' }) }, '`fault.headers` must be an object of names and values, got'],
  [{ status: 500, probability: 2 }, 'got 2'],
  [{ status: 500, skip: -1 }, '`fault.skip` must be a whole number of at least 0, got -1.'],
  [{ status: 500, match: { parms: {} } }, 'Unknown fault.match field `parms`. Did you mean `params`?'],
  [
    { status: 500, match: { headers: { 'X-Api-Key': 'hush' } } },
    '`fault.match.headers.X-Api-Key` must be left out',
  ],
  [
    { status: 500, match: { headers: { authorization: 'hush' } } },
    'because it holds a key, and faults are listed',
  ],
  [{ bytesPerSecond: 0 }, '`fault.bytesPerSecond` must be a whole number of at least 1, got 0.'],
  [
    { network: 'hang', bytesPerSecond: 9 },
    "`fault.bytesPerSecond` would be ignored with `network: 'hang'`, because there is no response. It goes with 'truncate', 'stall' or no `network`",
  ],
  [{ network: 'error', status: 503 }, "`fault.status` would be ignored with `network: 'error'`"],
  [{ network: 'error', code: 'DOWN' }, '`fault.code` would be ignored'],
  [{ network: 'hang', headers: { 'x-token': 'hush' } }, '`fault.headers` would be ignored'],
  [{ network: 'hang', body: null }, '`fault.body` would be ignored'],
  [
    { status: 204, body: {} },
    '`fault.body` would be ignored with `status: 204`, because its responses have no body.',
  ],
  [{ status: 205, code: 'DOWN' }, '`fault.code` would be ignored with `status: 205`'],
  [{ status: 304, network: 'stall' }, '`fault.network` would be ignored with `status: 304`'],
  [{ status: 204, bytesPerSecond: 1 }, '`fault.bytesPerSecond` would be ignored with `status: 204`'],
  [{ body: {}, code: 'DOWN' }, '`fault.code` would be ignored with `fault.body`'],
  [{ body: () => 'Hi' }, '`fault.body` must be a value that JSON can express, got a function'],
  [{ body: { count: 10n } }, '`fault.body` must be a value that JSON can express, got an object'],
])('faults.once() and always() refuse %o', (fault, says) => {
  const { faults } = createMock();
  for (const plan of ['once', 'always'] as const) {
    expect(() => faults[plan]('*', fault as object)).toThrow(says);
    expect(() => faults[plan]('*', fault as object)).not.toThrow('hush');
  }
});

test('skip lets requests of the operation pass, and each request counts for every fault', async () => {
  const { mock, send } = open();
  mock.faults.once('agents.list', { status: 503, skip: 2 });
  mock.faults.once('agents.list', { status: 418, skip: 1 });
  expect((await send('leads.list')).status).toBe(200);
  const before = mock.snapshot();
  for (let run = 0; run < 2; run += 1) {
    for (const status of [200, 418, 503, 200]) {
      expect((await send('agents.list')).status).toBe(status);
    }
    mock.restore(before);
  }
});
