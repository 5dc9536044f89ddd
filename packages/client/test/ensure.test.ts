import { expect, test } from 'vitest';
import { ConflictError, ConnectionError, TimeoutError } from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import type { Responder } from './support/server.ts';
import { drop, failure, hang, json, startServer, success } from './support/server.ts';

const setUp = async (...responders: Responder[]) => {
  const server = await startServer(...responders);
  const clock = createTestClock();
  return { server, clock, confab: clientAt(server.url, { clock }) };
};
const conflict = failure(409, 'ANY', 'There is one already');
const list = (...rows: unknown[]) =>
  json(200, { success: true, data: rows, meta: { total: rows.length, limit: 100, offset: 0 } });

test('creates a lead that does not exist', async () => {
  const { server, confab } = await setUp(success(lead, 201));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'created' });
  expect(server.arrivals).toHaveLength(1);
});

const another = (phone: string | null) => ({ ...lead, id: lead.id.replace('5', '6'), phone });

test('on 409 finds the lead by its phone', async () => {
  const other = another('+15511987654321');
  const { server, confab } = await setUp(conflict, list(other, lead));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'existing' });
  expect(server.arrivals.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v2/public/leads',
    'GET /api/v2/public/leads',
  ]);
  expect(server.arrivals[1]!.query.get('search')).toBe('5511987654321');
});

test('is one call to the hooks, however many requests it sends', async () => {
  const events: unknown[] = [];
  const server = await startServer(failure(429, 'SLOW', '', { 'retry-after': '2' }), conflict, list(lead));
  const confab = clientAt(server.url, {
    clock: createTestClock(),
    hooks: {
      onCallStart: ({ callId, operation }) => events.push(['start', callId, operation]),
      onRequest: ({ callId, operation, attempt }) => events.push([callId, operation, attempt]),
      onCallEnd: (event) => events.push(event),
    },
  });
  await confab.leads.ensure({ phone: lead.phone });
  const [[, callId]] = events as [[string, number]];
  expect(events).toEqual([
    ['start', callId, 'leads.ensure'],
    [callId, 'leads.create', 1],
    [callId, 'leads.create', 2],
    [callId, 'leads.list', 1],
    {
      ...{ callId, operation: 'leads.ensure', outcome: 'success', error: undefined },
      ...{ attempts: 3, durationMs: 2_000, queuedMs: 2_000, waitedMs: 0 },
    },
  ]);
});

test.each([
  '+55 11 98765-4321',
  ' +55 (11) 98765.4321 ',
  '(+55) 11\u201098765\u20104321',
  '\u202a+55/11/98765/4321\u202c',
])('on 409 finds the lead under the normalized form of %s', async (phone) => {
  const { confab } = await setUp(conflict, list(lead));
  expect(await confab.leads.ensure({ phone })).toEqual({ lead, status: 'existing' });
});

test('after a lost response, the status is unknown when the retry gets a 409 and finds the lead', async () => {
  const { server, confab } = await setUp(drop, conflict, list(lead));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'unknown' });
  expect(server.arrivals).toHaveLength(3);
});

test('a retry that creates the lead reports it as created', async () => {
  const { confab } = await setUp(failure(503, 'BUSY'), success(lead, 201));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'created' });
});

test.each([
  ['when no lead has the phone', '+5511987654321', [{ ...lead, phone: null }]],
  ['when two leads have it', '+5511987654321', [lead, another(lead.phone)]],
  ['when 00 may not mean the country code', '005511987654321', [lead]],
  ['when there is an extension', '+55 11 98765-4321 ext. 7', [lead, another('+55119876543217')]],
  ['when the country is not said', '(11) 98765-4321', [lead]],
  ['when the digits might be of another country', '5511987654321', [lead]],
  ['when a zero is dialed within the country only', '+55 (0)11 98765-4321', [lead]],
  ['when letters may be part of the number', '+55 11 98765-4321 CALL', [lead]],
])('throws the conflict, and says what to do, %s', async (_, phone, rows) => {
  const { confab } = await setUp(conflict, list(...rows));
  const error = await errorOf(confab.leads.ensure({ phone }), ConflictError);
  expect(error.message).toContain('leads.ensure failed with 409 ANY: There is one already');
  expect(error.message).toContain('Write the phone with + and the country code');
  expect(error).toMatchObject({ status: 409, code: 'ANY', operation: 'leads.create', attempts: 1 });
});

test.each(['321', 'n/a', ''])('a phone without digits matches no lead: %j', async (phone) => {
  const { confab } = await setUp(
    conflict,
    list(lead, { ...lead, id: lead.id.replace('5', '6'), phone: 'unknown' }),
  );
  await errorOf(confab.leads.ensure({ phone }), ConflictError);
});

test('with retry: false on the client, a request whose response is lost is not sent again', async () => {
  const server = await startServer(drop);
  const confab = clientAt(server.url, { retry: false });
  await errorOf(confab.leads.ensure({ phone: '+5511987654321' }), ConnectionError);
  expect(server.arrivals).toHaveLength(1);
});

test('the search gets the rest of the total timeout, and the error names all of it', async () => {
  const { server, clock, confab } = await setUp(
    failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', { 'retry-after': '8' }),
    conflict,
    hang,
  );
  const call = confab.leads.ensure({ phone: '+5511987654321' }, { totalTimeout: 10_000 });
  await server.arrived(3);
  clock.advance(2_000);
  const error = await errorOf(call, TimeoutError);
  expect(error.message).toContain('10000 ms');
  expect(error.attempts).toBe(3);
});
