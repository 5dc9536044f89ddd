import { operations } from '@confab/client/contract';
import { expect, test } from 'vitest';
import { hosts, open } from '../support/hosts.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

for (const host of hosts) {
  test(`401 API_KEY_REQUIRED: key missing (${host.name})`, async () => {
    await using service = await host.open();
    const { status, body } = await service.send('leads.list', { key: null });
    expect(status).toBe(401);
    expect(body).toEqual({ success: false, error: expect.any(String), code: 'API_KEY_REQUIRED' });
  });

  test(`401 API_KEY_INVALID: key invalid (${host.name})`, async () => {
    await using service = await host.open();
    const { status, body } = await service.send('leads.list', { key: 'confab_live_nobody' });
    expect(status).toBe(401);
    expect(body).toEqual({ success: false, error: expect.any(String), code: 'API_KEY_INVALID' });
    expect(body.error).not.toContain('confab_live_nobody');
  });

  test(`403 SCOPE_REQUIRED: key lacks the required scope, named in the text (${host.name})`, async () => {
    await using service = await host.open();
    const { key } = service.mock.keys.create({ scopes: ['read:leads'] });
    expect((await service.send('leads.list', { key })).status).toBe(200);
    const { status, body } = await service.send('leads.create', { key, body: { phone: '+5511987654321' } });
    expect(status).toBe(403);
    expect(body.code).toBe('SCOPE_REQUIRED');
    expect(body.error).toContain('write:leads');
  });

  test(`404: resource not found (${host.name})`, async () => {
    await using service = await host.open();
    for (const [operation, body] of [
      ['conversations.get', undefined],
      ['conversations.sendMessage', { content: 'Hi' }],
      ['leads.get', undefined],
      ['leads.update', { status: 'lost' }],
      ['agents.invoke', { userMessage: 'Hi' }],
    ] as const) {
      const answer = await service.send(operation, { id: UNKNOWN, body });
      expect([operation, answer.status, answer.body.code]).toEqual([operation, 404, 'NOT_FOUND']);
      expect(answer.body.error).toContain(UNKNOWN);
    }
  });

  test(`404: a path or method that no operation has gets a JSON envelope (${host.name})`, async () => {
    await using service = await host.open();
    for (const target of ['GET /', 'GET /api/v2/public/pipelines', 'DELETE /api/v2/public/leads'] as const) {
      const answer = await service.send(target);
      expect([target, answer.status]).toEqual([target, 404]);
      expect(answer.body).toEqual({ success: false, error: expect.any(String), code: 'NOT_FOUND' });
    }
  });

  test(`400: invalid parameters, each named (${host.name})`, async () => {
    await using service = await host.open();
    const { status, body } = await service.send('leads.list', {
      query: 'limit=101&offset=-1&pipelineId=7&sort=asc&status=new&status=lost',
    });
    expect(status).toBe(400);
    expect(body.code).toBe('INVALID_PARAMETERS');
    for (const named of ['limit', '101', 'offset', 'pipelineId', 'sort', 'query.status']) {
      expect(body.error).toContain(named);
    }
  });

  test(`400: a second question mark belongs to the name of a parameter (${host.name})`, async () => {
    await using service = await host.open();
    const { status, body } = await service.send('leads.list', { query: '?limit=1' });
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    expect(body.error).toContain('?limit');
  });

  test(`400: a body that is not JSON, not an object, or has unknown or missing fields (${host.name})`, async () => {
    await using service = await host.open();
    for (const body of [
      '{"phone":',
      '',
      'null',
      '[]',
      {},
      { phone: '+5511987654321', extra: 1 },
      { phone: null },
    ]) {
      const answer = await service.send('leads.create', { body });
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, 'INVALID_PARAMETERS']);
    }
    expect(service.mock.leads.count()).toBe(0);
  });

  test(`409: the resource already exists, whatever form its phone is written in (${host.name})`, async () => {
    await using service = await host.open();
    const create = (phone: string) => service.send('leads.create', { body: { phone } });
    expect((await create('+5511987654321')).status).toBe(201);
    const { status, body } = await create('+55 11 98765 4321');
    expect(status).toBe(409);
    expect(body).toEqual({ success: false, error: expect.any(String), code: 'ALREADY_EXISTS' });
    expect(service.mock.leads.count()).toBe(1);
  });

  test(`429 RATE_LIMIT_EXCEEDED: with X-RateLimit-Limit, X-RateLimit-Remaining and Retry-After (${host.name})`, async () => {
    await using service = await host.open({ rateLimit: 2 });
    const send = () => service.send('agents.list');
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const { status, body, headers } = await send();
    expect(status).toBe(429);
    expect(body.code).toBe('RATE_LIMIT_EXCEEDED');
    expect(headers.get('x-ratelimit-limit')).toBe('2');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(headers.get('retry-after')).toBe('60');
    await service.mock.clock.advance(60_000);
    expect((await send()).status).toBe(200);
  });

  test(`413: a body over 1 MiB, counted in bytes as they came (${host.name})`, async () => {
    await using service = await host.open();
    const utf8 = new TextEncoder();
    const jsonOf = (bytes: number, letter: string) => {
      const size = utf8.encode(letter).length;
      const letters = letter.repeat(Math.floor((bytes - 2) / size));
      return `"${letters}"`.padEnd(bytes - letters.length * (size - 1));
    };
    for (const letter of ['x', 'é', '名']) {
      const text = jsonOf(1024 * 1024, letter);
      for (const [body, answer] of [
        [text, [400, 'INVALID_PARAMETERS']],
        [`${text} `, [413, 'PAYLOAD_TOO_LARGE']],
        [utf8.encode(text), [400, 'INVALID_PARAMETERS']],
        [utf8.encode(`${text} `), [413, 'PAYLOAD_TOO_LARGE']],
        // Not UTF-8: read as text, each of them would take three bytes.
        [new Uint8Array(500_000).fill(0xff), [400, 'INVALID_PARAMETERS']],
      ] as const) {
        const sent = await service.send('leads.create', { body });
        expect([letter, sent.status, sent.body.code]).toEqual([letter, ...answer]);
      }
    }
  });

  test(`a byte order mark in front of a body is passed over, one and no more (${host.name})`, async () => {
    await using service = await host.open();
    const { mock, send } = service;
    const text = '\uFEFF{"phone":"+5511987654321"}';
    for (const [body, status] of [
      [text, 201],
      [new TextEncoder().encode(text), 201],
      [`\uFEFF${text}`, 400],
      [new TextEncoder().encode(`\uFEFF${text}`), 400],
      ['\uFEFF', 400],
    ] as const) {
      mock.reset();
      expect((await send('leads.create', { body })).status).toBe(status);
    }
  });

  test(`an id may be percent-encoded; one that can not be decoded gets 400 with the text that came (${host.name})`, async () => {
    await using service = await host.open();
    const { id } = service.mock.leads.create({});
    const code = id.charCodeAt(0).toString(16);
    expect((await service.send('leads.get', { id: `%${code}${id.slice(1)}` })).status).toBe(200);
    const malformed = await service.send('leads.get', { id: '%E0%A4%A' });
    expect(malformed.status).toBe(400);
    expect(malformed.body.error).toContain('params.id must be a UUID, got "%E0%A4%A"');
  });
}

test('the key is taken from X-API-Key or from Authorization: Bearer', async () => {
  const { mock, send } = open();
  expect((await send('agents.list', { key: null, headers: { 'X-API-Key': mock.apiKey } })).status).toBe(200);
  expect(
    (await send('agents.list', { key: null, headers: { authorization: `Bearer ${mock.apiKey}` } })).status,
  ).toBe(200);
  expect(
    (await send('agents.list', { key: null, headers: { authorization: `bearer ${mock.apiKey}` } })).status,
  ).toBe(200);
  const basic = await send('agents.list', { key: null, headers: { authorization: 'Basic abc' } });
  expect(basic.body.code).toBe('API_KEY_REQUIRED');
});

test('checks come in the order 401, 429, 403, 400, 404, 409', async () => {
  const { mock, send } = open();
  const invalid = { id: 'no-uuid', body: { status: 'none' } };
  const narrow = mock.keys.create({ scopes: ['read:leads'], rateLimit: 1 });
  const wide = mock.keys.create({ scopes: ['write:leads'] });

  expect((await send('leads.update', { ...invalid, key: 'wrong' })).status).toBe(401);
  expect((await send('leads.update', { ...invalid, key: narrow.key })).status).toBe(403);
  expect((await send('leads.update', { ...invalid, key: narrow.key })).status).toBe(429);
  expect((await send('leads.update', { ...invalid, key: wide.key })).status).toBe(400);
  expect((await send('leads.update', { id: UNKNOWN, body: { status: 'none' }, key: wide.key })).status).toBe(
    400,
  );
  expect((await send('leads.update', { id: UNKNOWN, body: { status: 'lost' }, key: wide.key })).status).toBe(
    404,
  );
});

test('each operation needs the scope of the contract, or the one that the option names', async () => {
  for (const { id, scope } of Object.values(operations)) {
    const { mock, send } = open({ scopes: { [id]: 'read:everything' } });
    const { key } = mock.keys.create({ scopes: [scope] });
    const overridden = await send(id, { key, id: UNKNOWN });
    expect([id, overridden.status, overridden.body.error]).toEqual([
      id,
      403,
      expect.stringContaining('read:everything'),
    ]);

    const plain = open();
    const others = Object.values(operations).flatMap((other) => (other.scope === scope ? [] : [other.scope]));
    const lacking = plain.mock.keys.create({ scopes: others });
    expect((await plain.send(id, { key: lacking.key, id: UNKNOWN })).body.error).toContain(scope);
  }
});

test('a revoked key is invalid from then on', async () => {
  const { mock, send } = open();
  const byKey = mock.keys.create();
  const byId = mock.keys.create();
  expect((await send('agents.list', byKey)).status).toBe(200);
  expect(mock.keys.revoke(byKey.key)).toBe(true);
  expect(mock.keys.revoke(byId.id)).toBe(true);
  expect((await send('agents.list', { key: byKey.key })).body.code).toBe('API_KEY_INVALID');
  expect((await send('agents.list', { key: byId.key })).body.code).toBe('API_KEY_INVALID');
  expect(mock.keys.revoke(byId.id)).toBe(false);
});

test('HTTP (non-TLS) calls are rejected, except on loopback', async () => {
  for (const [baseUrl, status] of [
    ['http://api.confab.test', 403],
    ['http://192.168.0.7:4010', 403],
    ['http://localhost:4010', 200],
    ['http://127.0.0.1:4010', 200],
    ['http://[::1]:4010', 200],
    ['https://api.confab.test', 200],
  ] as const) {
    const { send } = open({ baseUrl });
    const answer = await send('agents.list');
    expect([baseUrl, answer.status]).toEqual([baseUrl, status]);
    if (status === 403) {
      expect(answer.body.code).toBe('HTTPS_REQUIRED');
    }
  }
});

test('the key in X-API-Key counts, if there is another in Authorization', async () => {
  const { mock, send } = open();
  const narrow = mock.keys.create({ scopes: ['read:leads'] });
  const authorization = `Bearer ${mock.apiKey}`;
  const answer = await send('agents.list', { key: narrow.key, headers: { authorization } });
  expect(answer.body.code).toBe('SCOPE_REQUIRED');
  const invalid = await send('agents.list', { key: 'wrong', headers: { authorization } });
  expect(invalid.body.code).toBe('API_KEY_INVALID');
  expect((await send('agents.list', { key: ' ', headers: { authorization } })).status).toBe(200);
  expect(mock.requests.all.map(({ keyId }) => keyId === narrow.id)).toEqual([true, false, false]);
});

test('an error thrown inside an operation becomes a 500 without a stack', async () => {
  const { mock, send } = open({
    agents: {
      respond: () => {
        throw new RangeError('The model is out');
      },
    },
  });
  const { status, body } = await send('agents.invoke', {
    id: mock.agents.find()[0]!.id,
    body: { userMessage: 'Hi' },
  });
  expect(status).toBe(500);
  expect(body).toEqual({ success: false, error: 'The model is out', code: 'INTERNAL_ERROR' });
});

test('a new lead goes to the first pipeline or the one named, which must be of the account', async () => {
  const { mock, send } = open();
  const first = mock.pipelines.find()[0]!;
  await mock.clock.advance(1_000);
  const second = mock.pipelines.create({});
  const create = (phone: string, pipelineId?: string) =>
    send<{ pipelineId: string }>('leads.create', { body: { phone, pipelineId } });
  expect((await create('+5511987654321')).body.data.pipelineId).toBe(first.id);
  expect((await create('+5511987654322', second.id)).body.data.pipelineId).toBe(second.id);
  expect((await create('+5511987654323', UNKNOWN)).status).toBe(400);
});

test('a funnel whose range is upside down, or not on the calendar, gets 400', async () => {
  const { send } = open();
  for (const [query, says] of [
    ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.from must not be after query.to'],
    ['from=2099-01-01T00:00:00Z', 'query.from must not be after query.to'],
    ['to=9999-12-31T23:59:59-01:00', 'query.to must be within the years 0000 to 9999 in UTC'],
    ['from=2026-02-30T00:00:00Z', 'query.from must be a date and time whose day exists in its month'],
    ['from=0000-01-01T00:00:00%2B01:00', 'query.from must be within the years 0000 to 9999 in UTC'],
  ] as const) {
    const { status, body } = await send('analytics.funnel', { query });
    expect([query, status, body.code]).toEqual([query, 400, 'INVALID_PARAMETERS']);
    expect(body.error).toContain(says);
  }
});
