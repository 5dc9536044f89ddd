import { eventually, turns } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock, MockError } from '../../src/index.ts';
import { hosts, open } from '../support/hosts.ts';
import { movedAlone } from '../support/real-time.ts';

const create = { body: { phone: '+5511987654321' } };

for (const host of hosts) {
  test(`a fault responds with its status, code and headers, once or always (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    mock.faults.once('leads.create', { status: 503, code: 'DOWN', headers: { 'Retry-After': '2' } });
    const refused = await send('leads.create', create);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'DOWN',
      '2',
    ]);
    expect(mock.leads.count()).toBe(0);
    expect((await send('leads.create', create)).status).toBe(201);

    mock.faults.always('*', { status: 429 });
    expect([(await send('leads.list')).status, (await send('agents.list')).status]).toEqual([429, 429]);
    mock.faults.clear();
    expect((await send('leads.list')).status).toBe(200);
  });

  test(`a network error rejects, and a truncated response is cut after the operation has run (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    mock.faults.once('leads.create', { network: 'error' });
    await expect(send('leads.create', create)).rejects.toThrow(TypeError);
    expect(mock.leads.count()).toBe(0);
    mock.faults.once('leads.create', { network: 'truncate' });
    await expect(send('leads.create', create)).rejects.toThrow();
    expect(mock.leads.count()).toBe(1);
  });

  test(`a hanging request ends only when its caller gives up (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    mock.faults.once('leads.list', { network: 'hang' });
    const controller = new AbortController();
    const reason = new Error('enough');
    const hanging = send('leads.list', { signal: controller.signal });
    hanging.catch(() => {});
    await eventually(() => expect(mock.requests.length).toBe(1));
    controller.abort(reason);
    await expect(hanging).rejects.toBe(reason);
    expect((await send('leads.list')).status).toBe(200);
  });

  test(`a stalled response sends its status and half of its body, and ends when the caller gives up (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    mock.faults.once('leads.create', { network: 'stall' });
    const controller = new AbortController();
    const reason = new Error('enough');
    const stalled = send('leads.create', { ...create, signal: controller.signal });
    stalled.catch(() => {});
    await eventually(() => expect(mock.requests.of('leads.create')[0]?.status).toBe(201));
    expect(mock.leads.count()).toBe(1);
    controller.abort(reason);
    await expect(stalled).rejects.toBe(reason);
    expect((await send('leads.list')).status).toBe(200);
  });
}

test.each(hosts)('an empty response can be truncated or stalled too ($name)', async (host) => {
  await using service = await host.open();
  const { mock, send } = service;
  for (const network of ['truncate', 'stall'] as const) {
    mock.faults.once('leads.list', { body: '', network });
    const controller = new AbortController();
    const broken = send('leads.list', { signal: controller.signal });
    broken.catch(() => {});
    await eventually(() => expect(mock.requests.of('leads.list')).toHaveLength(1));
    if (network === 'stall') {
      controller.abort(new Error('enough'));
    }
    await expect(broken).rejects.toThrow();
    mock.requests.clear();
    // Nor is the connection of any use to the next request.
    for (let at = 0; at < 2; at += 1) {
      expect((await send('agents.list')).status).toBe(200);
    }
  }
});

test('a stall that no caller waits for makes no time pass: not begun, given up, or without a body', async () => {
  const { mock } = open();
  const url = `${mock.baseUrl}/api/v2/public/agents`;
  const headers = { 'x-api-key': mock.apiKey };
  mock.faults.once('agents.list', { network: 'stall' });
  await mock.fetch(url, { headers });
  expect(await movedAlone(mock)).toBe(0);

  for (const end of ['cancel', 'abort'] as const) {
    const controller = new AbortController();
    mock.faults.once('agents.list', { network: 'stall' });
    const reader = (await mock.fetch(url, { headers, signal: controller.signal })).body!.getReader();
    await reader.read();
    const rest = reader.read();
    rest.catch(() => {});
    await turns(5);
    if (end === 'cancel') {
      await reader.cancel();
    } else {
      controller.abort();
    }
    expect(await movedAlone(mock)).toBe(0);
  }

  mock.faults.once('agents.list', { status: 204, network: 'stall' });
  expect((await mock.fetch(url, { headers })).status).toBe(204);
  expect(await movedAlone(mock)).toBe(0);
});

test('a stalled response ends with the caller’s timeout, without real waiting, and time stands still afterwards', async () => {
  const { mock } = open();
  mock.faults.once('agents.list', { network: 'stall' });
  const controller = new AbortController();
  const began = mock.clock.now();
  void mock.clock.sleep(30_000, undefined, 'timeout').then(() => controller.abort(new Error('timed out')));
  const headers = { 'x-api-key': mock.apiKey };
  const url = `${mock.baseUrl}/api/v2/public/agents`;
  const response = await mock.fetch(url, { headers, signal: controller.signal });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('timed out');
  expect(mock.clock.now() - began).toBe(30_000);

  mock.faults.once('agents.list', { network: 'stall' });
  await (await mock.fetch(url, { headers })).body?.cancel();
  let passed = false;
  void mock.clock.sleep(1_000, undefined, 'timeout').then(() => {
    passed = true;
  });
  await mock.clock.sleep(10);
  expect([mock.clock.now() - began, passed]).toEqual([30_010, false]);
});

test('a fault can delay a request that then succeeds', async () => {
  const { mock, send } = open();
  const began = mock.clock.now();
  mock.faults.once('leads.create', { delayMs: 5_000 });
  expect((await send('leads.create', create)).status).toBe(201);
  expect(mock.clock.now() - began).toBe(5_000);
});

test('a fault can send a body that is not JSON, or other JSON, or wrong headers on the usual response', async () => {
  const { mock, send } = open();
  mock.faults.once('leads.list', {
    body: '<html>502 Bad Gateway</html>',
    headers: { 'content-type': 'text/html' },
  });
  await expect(send('leads.list')).rejects.toThrow(SyntaxError);
  mock.faults.once('leads.list', { body: { success: true } });
  const odd = await send('leads.list');
  expect([odd.status, odd.body]).toEqual([200, { success: true }]);
  mock.faults.once('leads.list', { headers: { 'content-type': 'text/plain' } });
  const usual = await send('leads.list');
  expect([usual.headers.get('content-type'), usual.body.meta.total]).toEqual(['text/plain', 0]);
});

test('a hang ends with the caller’s timeout, without real waiting', async () => {
  const { mock, send } = open();
  mock.faults.once('leads.list', { network: 'hang' });
  const controller = new AbortController();
  const began = mock.clock.now();
  void mock.clock
    .sleep(30_000, undefined, 'timeout')
    .then(() => controller.abort(new Error('attempt timed out')));
  await expect(send('leads.list', { signal: controller.signal })).rejects.toThrow('attempt timed out');
  expect(mock.clock.now() - began).toBe(30_000);
});

test('a probability is decided by the seed', async () => {
  const run = async (seed: number) => {
    const { mock, send } = open({ seed });
    mock.faults.always('agents.list', { status: 500, probability: 0.3 });
    const statuses: number[] = [];
    for (let at = 0; at < 60; at += 1) {
      statuses.push((await send('agents.list')).status);
    }
    return statuses;
  };
  const [once, again, other] = [await run(7), await run(7), await run(8)];
  expect(again).toEqual(once);
  expect(other).not.toEqual(once);
  const struck = once.filter((status) => status === 500).length;
  expect(struck).toBeGreaterThan(5);
  expect(struck).toBeLessThan(35);
});

test('an invalid fault is refused when it is planned', () => {
  const { mock } = open();
  // @ts-expect-error no such operation
  expect(() => mock.faults.once('leads.remove', { status: 500 })).toThrow(/leads\.remove/);
  expect(() => mock.faults.once('*', { status: 99 })).toThrow(MockError);
  expect(() => mock.faults.once('*', { delayMs: -1 })).toThrow(MockError);
  for (const delayMs of [Number.POSITIVE_INFINITY, 1e15]) {
    expect(() => mock.faults.once('*', { delayMs })).toThrow(/at most 100 years/);
  }
  expect(() => createMock({ latency: 1e15 })).toThrow(/at most 100 years/);
  expect(() => mock.faults.once('*', { headers: { 'bad name': 'x' } })).toThrow(/bad name/);
  expect(() => mock.faults.once('*', { headers: { 'x-a': 'naïve — “q”' } })).toThrow(/headers/);
  expect(() => mock.faults.once('*', { probability: 2 })).toThrow(MockError);
  // As JavaScript, or a program that reads its faults from the environment.
  for (const [fault, got] of [
    [{ status: '500' }, 'The `status` of a fault must be a whole number from 200 to 599, got "500"'],
    [{ delayMs: '5' }, 'The `delayMs` of a fault must be milliseconds (0 or more), got "5"'],
    [
      { status: 500, probability: '0.5' },
      'The `probability` of a fault must be a number from 0 to 1, got "0.5"',
    ],
    [{ body: { count: 10n } }, "The `body` of a fault can't be written as JSON: "],
    [{ body: () => 'Hi' }, "The `body` of a fault can't be written as JSON: got a function"],
  ] as const) {
    expect(() => mock.faults.once('*', fault as object)).toThrow(got);
  }
});

test('the log keeps every request with its fault, and never a key', async () => {
  const { mock, send } = open();
  const narrow = mock.keys.create({ scopes: ['read:leads'] });
  mock.faults.once('leads.create', { status: 503 });
  await send('leads.create', create);
  await send('leads.list', { key: narrow.key, query: 'limit=5&status=new' });
  await send('GET /elsewhere', { key: 'confab_live_wrong' });
  expect(mock.requests.all).toMatchObject([
    { operation: 'leads.create', body: create.body, status: 503, fault: { status: 503 } },
    {
      operation: 'leads.list',
      keyId: narrow.id,
      query: { limit: 5, status: 'new' },
      status: 200,
      fault: undefined,
    },
    { operation: undefined, keyId: undefined, path: '/elsewhere', status: 404 },
  ]);
  expect(mock.requests.of('leads.list')).toHaveLength(1);
  expect([...mock.requests]).toHaveLength(mock.requests.length);
  const text = JSON.stringify(mock.requests.all);
  for (const key of [mock.apiKey, narrow.key, 'confab_live_wrong']) {
    expect(text).not.toContain(key);
  }
  mock.requests.clear();
  expect(mock.requests.length).toBe(0);
});

test('changing a fault after it is planned has no effect', async () => {
  const { mock, send } = open();
  const fault = { status: 503 };
  mock.faults.always('leads.list', fault);
  fault.status = 777;
  expect((await send('leads.list')).status).toBe(503);
});

test('faults for one request come before those for all, in the order in which they were planned', async () => {
  const { mock, send } = open();
  mock.faults.always('leads.list', { status: 500 });
  mock.faults.once('leads.list', { status: 502 });
  mock.faults.once('*', { status: 503 });
  const statuses = [];
  for (let at = 0; at < 3; at += 1) {
    statuses.push((await send('leads.list')).status);
  }
  expect(statuses).toEqual([502, 503, 500]);
});

test('the delay of a fault is added to the latency', async () => {
  const { mock, send } = open({ latency: 200 });
  const began = mock.clock.now();
  mock.faults.once('leads.list', { delayMs: 1_000 });
  await send('leads.list');
  expect(mock.clock.now() - began).toBe(1_200);
});

test('`skip` lets requests of the operation pass first, and each one counts for every fault', async () => {
  const mock = createMock();
  const get = async (path: string) =>
    (await mock.fetch(`${mock.baseUrl}/api/v2/public/${path}`, { headers: { 'x-api-key': mock.apiKey } }))
      .status;
  mock.faults.once('agents.list', { status: 503, skip: 2 });
  mock.faults.once('agents.list', { status: 418, skip: 1 });
  expect(await get('leads')).toBe(200);
  const before = mock.snapshot();
  const statuses = async () => [
    await get('agents'),
    await get('agents'),
    await get('agents'),
    await get('agents'),
  ];
  expect(await statuses()).toEqual([200, 418, 503, 200]);
  mock.restore(before);
  expect(await statuses()).toEqual([200, 418, 503, 200]);
  expect(() => mock.faults.once('*', { status: 500, skip: -1 })).toThrow('The `skip` of a fault must be');
  expect(() => mock.faults.once('*', { skip: 1 })).toThrow('A fault must have at least one of');
  mock.faults.once('*', () => ({ status: 500, skip: 1 }));
  expect(await get('agents')).toBe(500);
  expect(mock.requests.of('agents.list').at(-1)?.fault?.body).toMatchObject({ code: 'FAULT_FAILED' });
});
