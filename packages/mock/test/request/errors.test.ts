import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { describe, expect, test } from 'vitest';
import { hosts, open } from '../support/hosts.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const PHONE = '+5511987654321';
const QUERY = 'limit=101&offset=-1&pipelineId=7&sort=asc&status=new&status=lost';

type Target = OperationId | `${string} /${string}`;
type Request = Readonly<{ key?: string | null; id?: string; query?: string; body?: unknown }>;

const invalidBodies = ['{"phone":', '', 'null', '[]', {}, { phone: PHONE, extra: 1 }, { phone: null }];

const REFUSALS: readonly [Target, Request, status: number, code: string, says: readonly string[]][] = [
  ['leads.list', { key: null }, 401, 'API_KEY_REQUIRED', []],
  ['leads.list', { key: 'nobody' }, 401, 'API_KEY_INVALID', ['The API key is not valid']],
  ['leads.create', { key: 'narrow', body: { phone: PHONE } }, 403, 'SCOPE_REQUIRED', ['write:leads']],
  ['GET /', {}, 404, 'NOT_FOUND', []],
  ['GET /api/v2/public/pipelines', {}, 404, 'NOT_FOUND', []],
  ['DELETE /api/v2/public/leads', {}, 404, 'NOT_FOUND', []],
  ['conversations.get', { id: UNKNOWN }, 404, 'NOT_FOUND', [UNKNOWN]],
  ['conversations.sendMessage', { id: UNKNOWN, body: { content: 'Hi' } }, 404, 'NOT_FOUND', [UNKNOWN]],
  ['leads.get', { id: UNKNOWN }, 404, 'NOT_FOUND', [UNKNOWN]],
  ['leads.update', { id: UNKNOWN, body: { status: 'lost' } }, 404, 'NOT_FOUND', [UNKNOWN]],
  ['agents.invoke', { id: UNKNOWN, body: { userMessage: 'Hi' } }, 404, 'NOT_FOUND', [UNKNOWN]],
  [
    ...(['leads.list', { query: QUERY }, 400, 'INVALID_PARAMETERS'] as const),
    ['limit', '101', 'offset', 'pipelineId', 'sort', 'query.status'],
  ],
  // The second question mark belongs to the name of the parameter.
  ['leads.list', { query: '?limit=1' }, 400, 'INVALID_PARAMETERS', ['?limit']],
  ['leads.get', { id: '%E0%A4%A' }, 400, 'INVALID_PARAMETERS', ['params.id must be a UUID, got "%E0%A4%A"']],
  ...invalidBodies.map((body): (typeof REFUSALS)[number] => [
    ...(['leads.create', { body }, 400, 'INVALID_PARAMETERS', []] as const),
  ]),
];

describe.each(hosts)('through $name', ({ open }) => {
  test('each refusal is an envelope with its status, its code and what is wrong', async () => {
    const service = await open({ keys: [{ key: 'narrow', scopes: ['read:leads'] }] });
    for (const [target, request, status, code, says] of REFUSALS) {
      const answer = await service.send(target, request);
      expect([target, request, answer.status]).toEqual([target, request, status]);
      expect(answer.body).toEqual({ success: false, error: expect.any(String), code });
      for (const part of says) {
        expect(answer.body.error).toContain(part);
      }
    }
    expect(service.mock.leads.count()).toBe(0);
  });

  test('409: the resource already exists, whatever form its phone is written in', async () => {
    const service = await open();
    const create = (phone: string) => service.send('leads.create', { body: { phone } });
    expect((await create(PHONE)).status).toBe(201);
    const { status, body } = await create('+55 11 98765 4321');
    expect([status, body.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect(service.mock.leads.count()).toBe(1);
  });

  test('429 has X-RateLimit-Limit, X-RateLimit-Remaining and Retry-After', async () => {
    const service = await open({ rateLimit: 2 });
    const send = () => service.send('agents.list');
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    const { status, body, headers } = await send();
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'retry-after': '60' },
    });
    await service.mock.clock.advance(60_000);
    expect((await send()).status).toBe(200);
  });

  test('413: a body over 1 MiB, counted in bytes as they came', async () => {
    const service = await open();
    const utf8 = new TextEncoder();
    for (const letter of ['x', 'é', '名']) {
      const size = utf8.encode(letter).length;
      const letters = letter.repeat(Math.floor((1024 * 1024 - 2) / size));
      const text = `"${letters}"`.padEnd(1024 * 1024 - letters.length * (size - 1));
      for (const [body, status] of [
        [text, 400],
        [`${text} `, 413],
        [utf8.encode(text), 400],
        [utf8.encode(`${text} `), 413],
        // Not UTF-8: read as text, each of them would take three bytes.
        [new Uint8Array(500_000).fill(0xff), 400],
      ] as const) {
        const sent = await service.send('leads.create', { body });
        expect([letter, sent.status]).toEqual([letter, status]);
        expect(sent.body.code).toBe(status === 413 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_PARAMETERS');
      }
    }
  });

  test('one byte order mark in front of a body is passed over, and an id may be percent-encoded', async () => {
    const { mock, send } = await open();
    const text = `\uFEFF{"phone":"${PHONE}"}`;
    for (const [body, status] of [
      [text, 201],
      [new TextEncoder().encode(text), 201],
      [`\uFEFF${text}`, 400],
      ['\uFEFF', 400],
    ] as const) {
      mock.reset();
      expect((await send('leads.create', { body })).status).toBe(status);
    }
    const { id } = mock.leads.create({});
    expect((await send('leads.get', { id: `%${id.charCodeAt(0).toString(16)}${id.slice(1)}` })).status).toBe(
      200,
    );
  });
});

test('the key is taken from X-API-Key, or else from Authorization: Bearer', async () => {
  const { mock, send } = open({ keys: [{ key: 'narrow', scopes: ['read:leads'] }] });
  const authorization = `Bearer ${mock.apiKey}`;
  for (const [key, headers, outcome] of [
    [null, { 'X-API-Key': mock.apiKey }, 200],
    [null, { authorization }, 200],
    [null, { authorization: authorization.replace('B', 'b') }, 200],
    [' ', { authorization }, 200],
    [null, { authorization: 'Basic abc' }, 'API_KEY_REQUIRED'],
    ['narrow', { authorization }, 'SCOPE_REQUIRED'],
    ['wrong', { authorization }, 'API_KEY_INVALID'],
  ] as const) {
    const { status, body } = await send('agents.list', { key, headers });
    expect([key, headers, body.code ?? status]).toEqual([key, headers, outcome]);
  }
});

test('checks come in the order 401, 429, 403, 400, 404', async () => {
  const { mock, send } = open();
  const narrow = mock.keys.create({ scopes: ['read:leads'], rateLimit: 1 });
  const wide = mock.keys.create({ scopes: ['write:leads'] });
  for (const [key, id, update, status] of [
    ['wrong', 'no-uuid', 'none', 401],
    [narrow.key, 'no-uuid', 'none', 403],
    [narrow.key, 'no-uuid', 'none', 429],
    [wide.key, UNKNOWN, 'none', 400],
    [wide.key, UNKNOWN, 'lost', 404],
  ] as const) {
    expect((await send('leads.update', { key, id, body: { status: update } })).status).toBe(status);
  }
});

test('each operation needs the scope of the contract, or the one that the option names', async () => {
  for (const { id, scope } of Object.values(operations)) {
    const { mock, send } = open({ scopes: { [id]: 'read:everything' } });
    const { key } = mock.keys.create({ scopes: [scope] });
    const overridden = await send(id, { key, id: UNKNOWN });
    expect([id, overridden.status]).toEqual([id, 403]);
    expect(overridden.body.error).toContain('read:everything');

    const plain = open();
    const others = Object.values(operations).flatMap((other) => (other.scope === scope ? [] : [other.scope]));
    const lacking = plain.mock.keys.create({ scopes: others });
    expect((await plain.send(id, { key: lacking.key, id: UNKNOWN })).body.error).toContain(scope);
  }
});

test.each([
  ['http://api.confab.test', 403],
  ['http://192.168.0.7:4010', 403],
  ['http://localhost:4010', 200],
  ['http://127.0.0.1:4010', 200],
  ['http://[::1]:4010', 200],
  ['https://api.confab.test', 200],
])('HTTP (non-TLS) calls are rejected, except on loopback: %s gets %i', async (baseUrl, status) => {
  const answer = await open({ baseUrl }).send('agents.list');
  expect([answer.status, answer.body.code]).toEqual([status, status === 403 ? 'HTTPS_REQUIRED' : undefined]);
});

test('an error thrown inside an operation becomes a 500 without a stack', async () => {
  const { mock, send } = open({
    agents: { respond: () => Promise.reject(new RangeError('The model is out')) },
  });
  const agent = mock.agents.find()[0]!;
  const { status, body } = await send('agents.invoke', { id: agent.id, body: { userMessage: 'Hi' } });
  expect([status, body]).toEqual([
    500,
    { success: false, error: 'The model is out', code: 'INTERNAL_ERROR' },
  ]);
});
