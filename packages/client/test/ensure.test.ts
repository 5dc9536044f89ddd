import { describe, expect, test } from 'vitest';
import { ConflictError, ConnectionError, createClient, PermissionError, TimeoutError } from '../src/index.ts';
import { caught } from './support/caught.ts';
import { createTestClock } from './support/clock.ts';
import { KEY, lead } from './support/data.ts';
import type { Answerer } from './support/server.ts';
import { drop, failure, hang, json, startServer, success } from './support/server.ts';

const setUp = async (...answerers: Answerer[]) => {
  const server = await startServer(...answerers);
  const clock = createTestClock();
  return { server, clock, confab: createClient({ baseUrl: server.url, apiKey: KEY, clock }) };
};
const conflict = failure(409, 'ANY', 'There is one already');
const list = (...rows: unknown[]) =>
  json(200, { success: true, data: rows, meta: { total: rows.length, limit: 100, offset: 0 } });

test('creates a lead that is not there', async () => {
  const { server, confab } = await setUp(success(lead, 201));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, created: true });
  expect(server.arrivals).toHaveLength(1);
});

test('on 409 finds the lead by its phone', async () => {
  const other = { ...lead, id: lead.id.replace('5', '6'), phone: '+15511987654321' };
  const { server, confab } = await setUp(conflict, list(other, lead));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, created: false });
  expect(server.arrivals.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v2/public/leads',
    'GET /api/v2/public/leads',
  ]);
  expect(server.arrivals[1]!.query.get('search')).toBe('5511987654321');
});

test.each(['(11) 98765-4321', '011 98765-4321', '55 11 98765 4321'])(
  'on 409 finds it under the phone that the service made of %s',
  async (phone) => {
    const { confab } = await setUp(conflict, list(lead));
    expect(await confab.leads.ensure({ phone })).toEqual({ lead, created: false });
  },
);

test('is safe when the first answer was lost: the repeat meets the 409 and finds the lead', async () => {
  const { server, confab } = await setUp(drop, conflict, list(lead));
  expect(await confab.leads.ensure({ phone: '+5511987654321' })).toEqual({ lead, created: false });
  expect(server.arrivals).toHaveLength(3);
});

describe('stops with the conflict', () => {
  test('when no lead has the phone', async () => {
    const { confab } = await setUp(conflict, list({ ...lead, phone: null }));
    await caught(confab.leads.ensure({ phone: '+5511987654321' }), ConflictError);
  });

  test('when two leads could have it', async () => {
    const { confab } = await setUp(
      conflict,
      list(lead, { ...lead, id: lead.id.replace('5', '6'), phone: '+5421987654321' }),
    );
    await caught(confab.leads.ensure({ phone: '98765-4321' }), ConflictError);
  });
});

test('a lead with just these digits goes before one that ends in them', async () => {
  const other = { ...lead, id: lead.id.replace('5', '6'), phone: '+15511987654321' };
  const { confab } = await setUp(conflict, list(other, lead));
  expect(await confab.leads.ensure({ phone: '5511987654321' })).toEqual({ lead, created: false });
});

test.each(['321', 'n/a', ''])('a phone that tells nothing finds nobody: %j', async (phone) => {
  const { confab } = await setUp(
    conflict,
    list(lead, { ...lead, id: lead.id.replace('5', '6'), phone: 'unknown' }),
  );
  await caught(confab.leads.ensure({ phone }), ConflictError);
});

test('with retry: false on the client a lost answer is not sent again', async () => {
  const server = await startServer(drop);
  const confab = createClient({ baseUrl: server.url, apiKey: KEY, retry: false });
  await caught(confab.leads.ensure({ phone: '+5511987654321' }), ConnectionError);
  expect(server.arrivals).toHaveLength(1);
});

test('any other refusal is passed on', async () => {
  const { confab } = await setUp(failure(403, 'SCOPE_REQUIRED', 'write:leads'));
  await caught(confab.leads.ensure({ phone: '+5511987654321' }), PermissionError);
});

test('with retry: false a lost answer is not sent again', async () => {
  const { server, confab } = await setUp(drop);
  await caught(confab.leads.ensure({ phone: '+5511987654321' }, { retry: false }), ConnectionError);
  expect(server.arrivals).toHaveLength(1);
});

test('the deadline covers creation and search together', async () => {
  const { server, clock, confab } = await setUp(conflict, hang);
  const call = confab.leads.ensure({ phone: '+5511987654321' }, { deadline: 10_000 });
  await server.arrived(2);
  clock.advance(10_000);
  expect(await caught(call, TimeoutError)).toMatchObject({ kind: 'deadline', operation: 'leads.create' });
});

test('withResponse tells of the creation, also when the lead was found', async () => {
  const { confab } = await setUp(conflict, list(lead));
  const { data, response } = await confab.leads.ensure({ phone: '+5511987654321' }).withResponse();
  expect(data.created).toBe(false);
  expect(response).toMatchObject({ status: 409, attempts: 1 });
});
