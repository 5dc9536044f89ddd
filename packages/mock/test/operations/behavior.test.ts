import { createClient } from '@confab/client';
import { expect, test } from 'vitest';
import type { Behavior, MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { open as openMock } from '../support/hosts.ts';

const NOBODY = '99999999-9999-4999-8999-999999999999';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

const idOf = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

const open = (behavior: Behavior, options: MockOptions = {}) => {
  const { mock, send } = openMock({ behavior, ...options });
  return { mock, confab: createClient(mock.clientOptions), send };
};

const LEADS = [
  { id: idOf(3), displayName: 'Bruno', createdAt: at(1) },
  { id: idOf(1), displayName: null, createdAt: at(2) },
  { id: idOf(2), displayName: 'Ana', createdAt: at(2) },
];

test.for<[NonNullable<Behavior['order']>['leads.list'], number[]]>([
  [undefined, [2, 1, 3]],
  ['createdAt desc', [2, 1, 3]],
  ['createdAt asc', [3, 1, 2]],
])('leads.list sorts by %s, across pages', async ([order, wanted]) => {
  const { confab } = open({ order: { 'leads.list': order } }, { data: { leads: LEADS } });
  const pages = [await confab.leads.list({ limit: 2 }), await confab.leads.list({ limit: 2, offset: 2 })];
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(wanted.map(idOf));
  expect(pages[1]?.meta).toEqual({ total: 3, limit: 2, offset: 2 });
});

test('behavior.order applies to conversations and agents, also within a filter', async () => {
  const { confab } = open(
    { order: { 'conversations.list': 'lastMessageAt desc', 'agents.list': 'name asc' } },
    {
      data: {
        agents: [{ name: 'Zoe' }, { name: 'Ada' }],
        conversations: [
          { id: idOf(1), createdAt: at(1), lastMessageAt: at(9) },
          { id: idOf(2), createdAt: at(2), lastMessageAt: null },
          { id: idOf(3), createdAt: at(3), lastMessageAt: at(4) },
          { id: idOf(4), createdAt: at(0), lastMessageAt: at(10), status: 'resolved' },
        ],
      },
    },
  );
  expect((await confab.agents.list()).map(({ name }) => name)).toEqual(['Ada', 'Zoe']);
  const { data } = await confab.conversations.list({ status: 'open' });
  expect(data.map(({ id }) => id)).toEqual([idOf(1), idOf(3), idOf(2)]);
});

const ANA = { displayName: 'Ana Maria', email: 'ana@example.com', phone: '+5511987654321' };

test.for<[NonNullable<Behavior['search']>, found: string[], missed: string[]]>([
  [{}, ['a mar', 'ANA M', 'example', '1198765'], ['Mario']],
  [{ displayName: 'start' }, ['Ana M', 'ana'], ['Mari']],
  [{ displayName: 'word', email: 'none' }, ['maria', 'ana maria', 'ana'], ['mari', 'example.com']],
  [{ email: 'whole' }, ['ana@example.com', 'Maria'], ['ana@example', 'example.com']],
  [{ phone: 'none' }, ['Ana'], ['+5511987654321', '8765']],
  [{ ignoreCase: false }, ['Ana', 'ana@'], ['ANA', 'maria']],
])('leads.list with behavior.search %j finds %j, and not %j', async ([search, found, missed]) => {
  const { confab } = open({ search }, { data: { leads: [ANA] } });
  for (const text of [...found, ...missed]) {
    const { meta } = await confab.leads.list({ search: text });
    expect({ text, total: meta.total }).toEqual({ text, total: found.includes(text) ? 1 : 0 });
  }
});

test.for<[NonNullable<Behavior['messages']>, string]>([
  [{}, 'bc'],
  [{ order: 'desc' }, 'cb'],
  [{ select: 'earliest' }, 'ab'],
  [{ select: 'earliest', order: 'desc' }, 'ba'],
])('messagesLimit with behavior.messages %j returns the messages %s', async ([messages, wanted]) => {
  const conversationId = idOf(1);
  const rows = ['a', 'b', 'c'].map((content, minute) => ({ conversationId, content, createdAt: at(minute) }));
  const data = { conversations: [{ id: conversationId }], messages: rows };
  const { confab } = open({ messages }, { data });
  const { messages: got } = await confab.conversations.get(conversationId, { messagesLimit: 2 });
  expect(got.map(({ content }) => content).join('')).toBe(wanted);
});

test('behavior.codes sets codes for one operation or for all', async () => {
  const codes = { 'leads.get': { 404: 'LEAD_NOT_FOUND' }, 'leads.create': { 409: 'DUPLICATE' } };
  const { send } = open({ codes: { '*': { 400: 'VALIDATION_ERROR', 404: 'MISSING' }, ...codes } });
  const create = () => send('leads.create', { body: { phone: ANA.phone } });
  await create();
  const answers = [
    await send('leads.list', { query: 'limit=0' }),
    await send('leads.get', { id: NOBODY }),
    await send('conversations.get', { id: NOBODY }),
    await send('GET /nothing'),
    await create(),
  ];
  const outcomes = answers.map(({ status, body }) => `${status} ${body.code}`);
  const missing = ['404 LEAD_NOT_FOUND', '404 MISSING', '404 MISSING'];
  expect(outcomes).toEqual(['400 VALIDATION_ERROR', ...missing, '409 DUPLICATE']);
});

const BAD_LIST = ['leads.list', { query: 'limit=0' }] as const;
const BAD_MISSING = ['conversations.get', { id: NOBODY, query: 'messagesLimit=0' }] as const;
const MISSING = ['leads.get', { id: NOBODY }] as const;

test.for([
  [undefined, 'wrong', BAD_LIST, 401],
  [undefined, 'slow', BAD_LIST, 429],
  [[400, 401, 429, 403, 404], 'wrong', BAD_LIST, 400],
  [undefined, 'agents', BAD_LIST, 403],
  [[401, 429, 400, 403, 404], 'agents', BAD_LIST, 400],
  [undefined, 'all', BAD_MISSING, 400],
  [[401, 429, 403, 404, 400], 'all', BAD_MISSING, 404],
  [[404, 400, 401, 429, 403], 'wrong', MISSING, 404],
] as const)(
  'with behavior.checks %j and the key %s, %j returns %i',
  async ([checks, key, [target, request], status]) => {
    const slow = { key: 'slow', scopes: ['read:agents'], rateLimit: 0 };
    const keys = [slow, { key: 'agents', scopes: ['read:agents'] }, { key: 'all' }];
    const { send } = open({ checks }, { keys });
    expect((await send(target, { ...request, key })).status).toBe(status);
  },
);

test('behavior.input ignores or clamps input that breaks the contract', async () => {
  const input = { unknownQuery: 'ignored', unknownBody: 'ignored', outOfRange: 'clamped' } as const;
  const { send } = open({ input });
  const page = await send('leads.list', { query: 'limit=1000&offset=-3&color=red&color=blue' });
  expect(page.body.meta).toEqual({ total: 0, limit: 100, offset: 0 });
  expect((await send('leads.list', { query: 'limit=0' })).body.meta.limit).toBe(1);
  expect((await send('leads.list', { query: 'limit=many' })).status).toBe(400);
  expect((await send('agents.list', { query: 'color=red' })).status).toBe(200);
  const created = await send('leads.create', { body: { phone: ANA.phone, color: 'red' } });
  expect(created.status).toBe(201);
  expect(created.body.data).not.toHaveProperty('color');
  expect((await send('leads.create', { body: '[]' })).status).toBe(400);
});

test('behavior.funnel decides which leads a funnel counts, and how its rate is computed', async () => {
  const statuses = ['new', 'new', 'active', 'qualified', 'converted', 'converted', 'lost'] as const;
  const now = Date.UTC(2026, 5, 1);
  const leads = statuses.map((status) => ({ status, createdAt: new Date(now - 1000).toISOString() }));
  const funnelOf = async (funnel: Behavior['funnel']) => {
    const { mock, confab } = open({ funnel }, { data: { leads } });
    await mock.clock.set(now);
    const { range, ...counts } = await confab.analytics.funnel();
    return { days: (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000, ...counts };
  };
  const usual = { days: 30, newLeads: 7, activeLeads: 1, qualified: 1, converted: 2, conversionRate: 2 / 7 };
  expect(await funnelOf({})).toEqual(usual);
  const week = { days: 7, conversionRate: 28.6 };
  expect(await funnelOf({ days: 7, percent: true, decimals: 1 })).toEqual({ ...usual, ...week });
  const reached = { newLeads: 2, activeLeads: 4, qualified: 3, conversionRate: 2 / 3 };
  const funnel = { newLeads: 'status', counts: 'reached', divideBy: 'qualified' } as const;
  expect(await funnelOf(funnel)).toEqual({ ...usual, ...reached });
  const ofNew = { newLeads: 2, conversionRate: 1 };
  expect(await funnelOf({ newLeads: 'status', divideBy: 'newLeads' })).toEqual({ ...usual, ...ofNew });
});

test('behavior.source is the source of a lead that is created without one', async () => {
  const { confab } = open({ source: 'public-api' });
  expect((await confab.leads.create({ phone: ANA.phone })).source).toBe('public-api');
});

test.for<[unknown, string]>([
  [{ orders: {} }, 'Unknown behavior field `orders`. Did you mean `order`?'],
  [
    { order: { 'leads.list': 'createdAt up' } },
    '`behavior.order.leads.list` must be one of "createdAt desc", "createdAt asc", got',
  ],
  [{ codes: { 'leads.gte': {} } }, 'Did you mean `leads.get`?'],
  [{ codes: { 'leads.get': { 403: 'NO' } } }, 'Did you mean `400`?'],
  [{ checks: [401] }, '`behavior.checks` must be an array of 401, 429, 403, 400, 404, each once, with 401'],
  [{ checks: [401, 429, 403, 400, 404, 404] }, 'each once'],
  [{ checks: [403, 401, 429, 400, 404] }, 'with 401 before 429 and 403, which depend on the key, got [403'],
  [{ funnel: { days: 0.5 } }, '`behavior.funnel.days` must be a whole number from 1 to 3650, got 0.5'],
  [{ source: 5 }, '`behavior.source` must be a non-empty string, got 5'],
])('createMock() refuses the behavior %j', ([behavior, says]) => {
  expect(() => createMock({ behavior: behavior as never })).toThrow(says);
});
