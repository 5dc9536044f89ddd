import { expect, test } from 'vitest';
import { ConflictError, ConnectionError, InvalidRequestError, TimeoutError } from '../src/index.ts';
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

test('leads.ensure creates a lead if none has the phone number', async () => {
  const { server, confab } = await setUp(success(lead, 201));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'created' });
  expect(server.arrivals).toHaveLength(1);
});

const another = (phone: string | null) => ({ ...lead, id: lead.id.replace('5', '6'), phone });

test('leads.ensure finds the lead by its phone number after a 409', async () => {
  const other = another('+15511987654321');
  const { server, confab } = await setUp(conflict, list(other, lead));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'existing' });
  expect(server.arrivals.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v2/public/leads',
    'GET /api/v2/public/leads',
  ]);
  expect(server.arrivals[1]!.query.get('search')).toBe('5511987654321');
});

test('the hooks see leads.ensure as one call, however many requests it sends', async () => {
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
      callId,
      operation: 'leads.ensure',
      outcome: 'success',
      error: undefined,
      attempts: 3,
      durationMs: 2_000,
      queuedMs: 2_000,
      waitedMs: 0,
    },
  ]);
});

test.each([
  '+55 11 98765-4321',
  '\u202a+55/11/98765/4321\u202c',
  '\uff0b\uff15\uff15 11 98765\uff0d4321',
  '+\u0665\u0665 \u06f1\u06f1 98765\u22124321',
  '+55 (0)11 98765~4321',
  '+55011987654321',
  '00 55 11 98765 4321',
  'tel:+55-11-98765-4321;ext=7',
  '+55 11 98765-4321 ext. 7',
  '+55 11 98765-4321,,7#',
  '+55 11 98765-4321 (Axel)',
  "'+5511987654321",
  '="+5511987654321"',
])('leads.ensure sends the phone number %s in E.164, and finds its lead after a 409', async (phone) => {
  const { server, confab } = await setUp(conflict, list(lead));
  expect(await confab.leads.ensure({ phone })).toEqual({ lead, status: 'existing' });
  expect(JSON.parse(server.arrivals[0]!.body)).toEqual({ phone: '+5511987654321' });
});

test.each([
  ['Argentina', '+54 11 15 2345-6789', '+5491123456789'],
  ['Argentina', '+54 (0)2966 15 234567', '+5492966234567'],
  ['Italy', '+39 (0)6 698 12345', '+390669812345'],
  // They begin with the 0 that another country code ends in.
  ['Ukraine', '+38 (050) 123-45-67', '+380501234567'],
  ['Bangladesh', '+88 01711 123456', '+8801711123456'],
])('leads.ensure drops a trunk prefix (0 or 15): %s, %s is sent as %s', async (_, phone, e164) => {
  const { server, confab } = await setUp(success(lead, 201));
  await confab.leads.ensure({ phone });
  expect(JSON.parse(server.arrivals[0]!.body)).toEqual({ phone: e164 });
});

const SECOND_NUMBERS = [
  '+44 20 7946 0958 / 59',
  '+49 30/1234567/68',
  '+44 2079460958-9',
  '+45 12 34 56 78-79',
  '+1 415 555 0100-0101',
  '+44 7700 900123 (2)',
];
const ONE_NUMBER = [
  ['+49 30/1234567', '+49301234567'],
  ['+49 30 1234567-58', '+4930123456758'],
  ['+7 (495) 123 - 45 - 67', '+74951234567'],
  ['+229-01-95-12-34-56', '+2290195123456'],
  ['+62 812-3456-789', '+628123456789'],
  ['+44 (2079460958)', '+442079460958'],
  ['+1 415 555 0100 -', '+14155550100'],
] as const;
test.each([
  ...SECOND_NUMBERS.map((phone) => ['leaves two phone numbers in one text unchanged', phone, phone] as const),
  ...ONE_NUMBER.map(([phone, sent]) => ['joins the groups of one phone number', phone, sent] as const),
])('leads.ensure %s: %s becomes %s', async (_, phone, sent) => {
  const { server, confab } = await setUp(success(lead, 201));
  await confab.leads.ensure({ phone });
  expect(JSON.parse(server.arrivals[0]!.body)).toEqual({ phone: sent });
});

test.each([
  ['the lead is found after a 409', []],
  ['a 429 comes before the 409', [failure(429, 'SLOW', '', { 'retry-after': '1' })]],
])('leads.ensure reports "unknown" after a lost response, even if %s', async (_, refusals) => {
  const { server, confab } = await setUp(drop, ...refusals, conflict, list(lead));
  expect(await confab.leads.ensure({ phone: lead.phone })).toEqual({ lead, status: 'unknown' });
  expect(server.arrivals).toHaveLength(3 + refusals.length);
});

test('leads.ensure reports "created" if a retry after a 503 creates the lead', async () => {
  const { confab } = await setUp(failure(503, 'BUSY'), success(lead, 201));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, status: 'created' });
});

test.each([
  ['no lead has the phone number', '+5511987654321', [{ ...lead, phone: null }], 'found no lead'],
  [
    'a lead has more digits after the phone number',
    '+5511987654321',
    [another('+5511987654321 x7')],
    'found no lead',
  ],
  [
    'two leads have the phone number',
    '+5511987654321',
    [lead, another(lead.phone)],
    'found more than one lead',
  ],
  ["001 may be another country's prefix", '0015511987654321', [lead], 'Write it in E.164'],
  ['the phone number has no country code', '(11) 98765-4321', [lead], 'Write it in E.164'],
  ['the phone number has no +', '5511987654321', [lead], 'Write it in E.164'],
  ['the phone number may contain letters', '+55 11 98765-4321 CALL', [lead], 'Write it in E.164'],
  [
    'the text may be two phone numbers',
    '+55 11 98765-4321 ::: +55 11 98765-4322',
    [lead],
    'Write it in E.164',
  ],
])('leads.ensure throws a ConflictError with advice when %s', async (_, phone, rows, advice) => {
  const { confab } = await setUp(conflict, list(...rows));
  const error = await errorOf(confab.leads.ensure({ phone }), ConflictError);
  expect(error.message).toContain('leads.ensure failed with 409 ANY: There is one already\nleads.ensure ');
  expect(error.message).toContain(advice);
  expect(error).toMatchObject({ status: 409, code: 'ANY', operation: 'leads.create', attempts: 1 });
});

test('leads.ensure skips a lead whose phone is a JSON number, and finds one whose phone has separators', async () => {
  const found = another('+55 (11) 98765-4321');
  const { confab } = await setUp(conflict, list({ ...lead, phone: 5_511_987_654_321 }, found));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead: found, status: 'existing' });
});

test('leads.ensure does not search for text that is not a phone number', async () => {
  for (const phone of ['321', 'n/a', '', '+55 11', '+'.repeat(10_000)]) {
    const { server, confab } = await setUp(conflict, list({ ...lead, phone }));
    await errorOf(confab.leads.ensure({ phone }), ConflictError);
    expect(server.arrivals).toHaveLength(1);
  }
});

test('leads.ensure searches again for a lead that was created a moment ago, because search indexes lag', async () => {
  const { server, clock, confab } = await setUp(
    conflict,
    list(),
    list(another('+15511987654321')),
    list(lead),
  );
  const { data, response } = await confab.leads.ensure({ phone: lead.phone }).withResponse();
  expect(data).toEqual({ lead, status: 'existing' });
  expect(response.attempts).toBe(1);
  expect(clock.waits).toEqual([1_000, 2_000]);
  expect(server.arrivals).toHaveLength(4);
});

test.each([
  [{}, 4, 7_000],
  [{ retry: { limit: 1 } }, 2, 1_000],
  [{ retry: false }, 1, 0],
  [{ totalTimeout: 2_000 }, 2, 1_000],
] as const)(
  'leads.ensure with the options %j stops looking for the lead after %i searches',
  async (options, searches, waitedMs) => {
    const { server, clock, confab } = await setUp(conflict, list());
    const error = await errorOf(confab.leads.ensure({ phone: lead.phone }, options), ConflictError);
    expect(error.message).toContain('If its search is behind, try again later');
    expect(server.arrivals).toHaveLength(1 + searches);
    expect(clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(waitedMs);
  },
);

test('leads.ensure sends the result of `normalizePhone`, and searches for it', async () => {
  const { server, confab } = await setUp(conflict, list(lead));
  const normalizePhone = (phone: string) => `+55${phone.replace(/\D/g, '')}`;
  expect(await confab.leads.ensure({ phone: '(11) 98765-4321' }, { normalizePhone })).toEqual({
    lead,
    status: 'existing',
  });
  expect(JSON.parse(server.arrivals[0]!.body)).toEqual({ phone: lead.phone });
  expect(server.arrivals[1]!.query.get('search')).toBe('5511987654321');
});

test.each([
  ['undefined', () => undefined],
  ['a Promise: await it', async () => '+5511987654321'],
  ['a different text', (phone: string) => phone],
])('leads.ensure sends nothing when `normalizePhone` returns %s', async (what, normalizePhone) => {
  const { server, confab } = await setUp(success(lead, 201));
  const options = { normalizePhone: normalizePhone as () => undefined };
  const error = await errorOf(confab.leads.ensure({ phone: '11 98765-4321' }, options), InvalidRequestError);
  expect(error.message).toBe(
    `leads.ensure was not sent because its input is invalid.\n  phone must be in E.164, such as +442079460958: \`normalizePhone\` returned ${what}`,
  );
  expect(server.arrivals).toEqual([]);
});

test('leads.ensure does not retry after a lost response with retry: false on the client', async () => {
  const server = await startServer(drop);
  const confab = clientAt(server.url, { retry: false });
  await errorOf(confab.leads.ensure({ phone: '+5511987654321' }), ConnectionError);
  expect(server.arrivals).toHaveLength(1);
});

test('the search of leads.ensure gets the rest of the total timeout, and its TimeoutError shows the whole timeout', async () => {
  const { server, clock, confab } = await setUp(
    failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', { 'retry-after': '8' }),
    conflict,
    hang,
  );
  const call = confab.leads.ensure({ phone: '+5511987654321' }, { totalTimeout: 10_000 });
  await server.arrived(3);
  clock.advance(2_000);
  const error = await errorOf(call, TimeoutError);
  expect(error.message).toContain('total timeout of 10 s');
  expect(error.attempts).toBe(3);
});
