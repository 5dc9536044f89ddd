import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { describe, expect, test } from 'vitest';
import { hosts, open, PHONE } from '../support/hosts.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const QUERY = 'limit=101&offset=-1&pipelineId=7&sort=asc&status=new&status=lost';

type Target = OperationId | `${string} /${string}`;
type Request = Readonly<{ key?: string | null; id?: string; query?: string; body?: unknown }>;

const invalidBodies = ['{"phone":', '', 'null', '[]', {}, { phone: PHONE, extra: 1 }, { phone: null }];

const REFUSALS: readonly [Target, Request, status: number, code: string, says: readonly string[]][] = [
  ['leads.list', { key: null }, 401, 'API_KEY_REQUIRED', []],
  ['leads.list', { key: 'nobody' }, 401, 'API_KEY_INVALID', ['The API key is not valid']],
  ['leads.create', { key: 'narrow', body: { phone: PHONE } }, 403, 'SCOPE_REQUIRED', ['write:leads']],
  ['leads.list', { key: 'slow' }, 429, 'RATE_LIMIT_EXCEEDED', []],
  // The same number in a different format.
  ['leads.create', { body: { phone: '+55 11 98765 4321' } }, 409, 'ALREADY_EXISTS', []],
  ['GET /api/v2/public/', {}, 404, 'NOT_FOUND', []],
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
  // A second question mark belongs to the name of the parameter.
  ['leads.list', { query: '?limit=1' }, 400, 'INVALID_PARAMETERS', ['?limit']],
  ['leads.get', { id: '%E0%A4%A' }, 400, 'INVALID_PARAMETERS', ['params.id must be a UUID, got "%E0%A4%A"']],
  [
    ...(['leads.create', { body: Buffer.from('{"displayName":"José"}', 'latin1') }] as const),
    ...([400, 'INVALID_PARAMETERS', ['body is not UTF-8, as JSON must be']] as const),
  ],
  ...invalidBodies.map((body): (typeof REFUSALS)[number] => [
    ...(['leads.create', { body }, 400, 'INVALID_PARAMETERS', []] as const),
  ]),
];

describe.each(hosts)('through $name', ({ open }) => {
  test('each invalid request returns its status, and an error envelope with its code and the reason', async () => {
    const keys = [
      { key: 'narrow', scopes: ['read:leads'] },
      { key: 'slow', rateLimit: 0 },
    ];
    const { mock, send } = await open({ keys });
    const lead = mock.leads.create({ phone: PHONE });
    for (const [target, request, status, code, says] of REFUSALS) {
      const answer = await send(target, request);
      expect([target, request, answer.status]).toEqual([target, request, status]);
      expect(answer.body).toEqual({ success: false, error: expect.any(String), code });
      for (const part of says) {
        expect(answer.body.error).toContain(part);
      }
    }
    expect(mock.leads.find()).toEqual([lead]);
  });

  test('a body of more than 1 MiB, counted in bytes, returns 413', async () => {
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
        // Not UTF-8: each byte would become a character of three bytes.
        [new Uint8Array(500_000).fill(0xff), 400],
      ] as const) {
        const sent = await service.send('leads.create', { body });
        expect([letter, sent.status]).toEqual([letter, status]);
        expect(sent.body.code).toBe(status === 413 ? 'PAYLOAD_TOO_LARGE' : 'INVALID_PARAMETERS');
      }
    }
  });

  test('a body may begin with one byte order mark, and an id may be percent-encoded', async () => {
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
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    expect((await send('leads.get', { id: encoded })).status).toBe(200);
  });
});

test('the API key is read from X-API-Key, or otherwise from Authorization: Bearer', async () => {
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

test('each operation requires the scope of the contract, or of the option scopes', async () => {
  const scopes = Object.values(operations).map(({ scope }) => scope);
  for (const { id, scope } of Object.values(operations)) {
    for (const [options, needed] of [
      [{}, scope],
      [{ scopes: { [id]: 'read:everything' } }, 'read:everything'],
    ] as const) {
      const { mock, send } = open(options);
      const { key } = mock.keys.create({ scopes: scopes.filter((each) => each !== needed) });
      const { status, body } = await send(id, { key, id: UNKNOWN });
      expect([id, status, body.error]).toEqual([id, 403, expect.stringContaining(needed)]);
    }
  }
});

test.each([
  ['http://api.confab.test', 403],
  ['http://192.168.0.7:4010', 403],
  ['http://localhost:4010', 200],
  ['http://127.0.0.1:4010', 200],
  ['http://[::1]:4010', 200],
  ['https://api.confab.test', 200],
])('plain HTTP is accepted only on loopback: %s returns %i', async (baseUrl, status) => {
  const answer = await open({ baseUrl }).send('agents.list');
  expect([answer.status, answer.body.code]).toEqual([status, status === 403 ? 'HTTPS_REQUIRED' : undefined]);
});
