import { runInNewContext } from 'node:vm';
import { createClient } from '@confab/client';
import { Query } from '@msw/data';
import { expect, test } from 'vitest';
import type { Mock, MockCollection, MockData, MockRow } from '../../src/index.ts';
import { CollectionError, createMock, MockError } from '../../src/index.ts';
import { RESOURCE_NAMES } from '../../src/world/resources/names.ts';
import type { AnyResource } from '../../src/world/resources/resource.ts';
import { RESOURCES } from '../../src/world/resources/resources.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const BRAZIL = '+5511987654321';
const NOBODY = '99999999-9999-4999-8999-999999999999';
const [LOWEST, HIGHEST] = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-8fff-bfff-ffffffffffff'];

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(CollectionError);
    expect(error).toBeInstanceOf(MockError);
    expect(error).toMatchObject({ name: 'CollectionError', code: 'INVALID_ROW' });
    return (error as Error).message;
  }
  return 'accepted';
};

test('create() returns a frozen row with defaults for missing fields', () => {
  const mock = createMock({ data: {} });
  const id = expect.stringMatching(/^[\da-f-]{36}$/);
  const lead = mock.leads.create({ displayName: 'Ana', email: undefined });
  const [pipeline] = mock.pipelines.find();
  const pipelineId = pipeline?.id;
  expect(pipeline).toEqual({ id, name: 'Sales', createdAt: NOW });
  expect(lead).toEqual({
    ...{ id, pipelineId, phone: null, displayName: 'Ana', email: null },
    ...{ source: 'api', status: 'new', createdAt: NOW, notes: null },
  });
  expect([Object.isFrozen(lead), mock.leads.get(lead.id) === lead]).toEqual([true, true]);
  expect(mock.agents.create({})).toEqual({
    ...{ id, name: 'Assistant', description: null, llmProvider: 'mock', llmModel: null, updatedAt: NOW },
  });
  const conversation = mock.conversations.create({});
  expect(conversation).toEqual({
    ...{ id, pipelineId, leadId: null, channel: 'live_chat', status: 'open', priority: 'medium' },
    ...{ lastMessageAt: null, createdAt: NOW },
  });
  const conversationId = conversation.id;
  expect(mock.messages.create({ conversationId })).toEqual({
    ...{ id, conversationId, senderType: 'lead', direction: 'inbound' },
    ...{ messageType: 'text', content: null, createdAt: NOW },
  });
  expect(mock.messages.create({ conversationId, senderType: 'ai_agent' }).direction).toBe('outbound');
});

test.for(Object.entries<AnyResource>(RESOURCES))(
  'every field that the resource %s names is in its schema',
  ([name, resource]) => {
    const { schema, unique = 'id', newestBy, filters, columns, hidden = [] } = resource;
    const { references = {}, openEnums = {} } = resource;
    const named = [unique, newestBy, ...filters, ...columns, ...hidden, Object.keys(references)].flat();
    expect(resource.name).toBe(name);
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining([...named, ...Object.keys(openEnums)]));
  },
);

test.each(RESOURCE_NAMES)('update() of %s refuses an unknown id', (name) => {
  expect(refusal(() => createMock()[name].update('none', {}))).toMatch(/^No \w+ has the id none\.$/);
});

test.each(RESOURCE_NAMES)('find() returns %s newest first', (name) => {
  const mock = createMock();
  const rows = mock[name] as unknown as MockCollection<MockRow, object>;
  const field = RESOURCES[name].newestBy;
  const parent = name === 'messages' && { conversationId: mock.conversations.create({}).id };
  const first = rows.create({ ...parent, [field]: '2027-01-01T00:00:00.000Z' });
  const second = rows.create({ ...parent, [field]: '2027-01-02T00:00:00.000Z' });
  expect(rows.find().slice(0, 2)).toEqual([second, first]);
  rows.update(second.id, { [field]: '2020-01-01T00:00:00.000Z' } as Partial<MockRow>);
  expect(rows.find()[0]).toEqual(first);
});

test('find() and count() accept values that must all match, a query of @msw/data, or nothing', () => {
  const { leads } = createMock();
  const ana = leads.create({ displayName: 'Ana', status: 'active', source: 'web', phone: BRAZIL });
  const bob = leads.create({ displayName: 'Bob', status: 'active', email: 'bob@example.com' });
  const old = leads.create({ createdAt: '2020-01-01T00:00:00Z' });
  const { id } = ana;
  for (const [where, found] of [
    [undefined, [bob, ana, old]],
    [{ status: 'active' }, [bob, ana]],
    [{ status: 'active', displayName: 'Ana' }, [ana]],
    [{ email: null }, [ana, old]],
    [{ id, status: 'new' }, []],
    [{ id: 'none' }, []],
    [{ phone: BRAZIL, displayName: 'Bob' }, []],
    [{ phone: null }, [bob, old]],
    // Values are normalized as in create().
    [{ phone: '+55 (11) 98765-4321' }, [ana]],
    [{ id: id.toUpperCase() }, [ana]],
    [{ createdAt: '2020-01-01T01:00:00+01:00' }, [old]],
    [{ createdAt: new Date('2020-01-01') }, [old]],
  ] as const) {
    expect([where, leads.find(where), leads.count(where)]).toEqual([where, found, found.length]);
  }
  expect(leads.find((q) => q.where({ source: 'web' }).or({ displayName: 'Bob' }))).toEqual([bob, ana]);
  const query = new Query<{ source: string }>().where({ source: 'web' }) as never;
  expect([leads.find(query), leads.count(query)]).toEqual([
    leads.find({ source: 'web' }),
    leads.count({ source: 'web' }),
  ]);
  expect(leads.count(query)).toBeLessThan(leads.count());
  expect(refusal(() => leads.find('id' as never))).toContain('get(id) returns the row with an id');
  expect(leads.find((q) => q.where({ email: (email) => email?.endsWith('.com') }))).toEqual([bob]);
  expect(leads.count((q) => q.where((lead) => lead.createdAt < '2021'))).toBe(1);
});

test('update() accepts fields, or a function of the current row', () => {
  const { leads } = createMock();
  const { id } = leads.create({ displayName: 'Ana' });
  expect(leads.update(id, { status: 'lost' })).toMatchObject({ displayName: 'Ana', status: 'lost' });
  expect(() => leads.update(id, { id: 'seven' } as object)).toThrow('its id cannot change');
  const after = leads.update(id, ({ displayName }) => ({ displayName: `${displayName} Silva` }));
  expect(after).toMatchObject({ displayName: 'Ana Silva', status: 'lost' });
  expect([leads.count({ status: 'lost' }), leads.count({ status: 'new' })]).toEqual([1, 0]);
});

test.each<[values: unknown, says: RegExp]>([
  ['Ana', /^it must be an object, got a string\.$/],
  [null, /^it must be an object, got null\.$/],
  [{ createdAt: '2026-02-30T00:00:00Z' }, /^createdAt must be/],
  [{ phone: 'none' }, /^phone must be a phone number with \+ and a country code/],
  [{ name: 'Ana' }, /^unknown lead field `name`\. Did you mean `displayName`\?$/],
  [{ status: 5, email: 6 }, /^(?:status|email) must [^;]+; (?:status|email) must/],
])('create(), update() and data refuse the lead %j and say why', (values, says) => {
  const { leads } = createMock();
  const { id } = leads.create({});
  const [, reason] =
    /^This lead cannot be stored: (.*)$/.exec(refusal(() => leads.create(values as never))) ?? [];
  expect(reason).toMatch(says);
  expect(refusal(() => leads.update(id, () => values as never))).toContain(reason);
  const loaded = refusal(() => createMock({ data: { leads: [{}, values as never] } }));
  expect(loaded).toBe(`data.leads[1] cannot be stored: ${reason}`);
  expect([leads.count(), leads.get(id)?.status]).toEqual([1, 'new']);
});

test.each<[data: unknown, says: RegExp]>([
  [{ leads: { id: 'x' } }, /^data\.leads must be an array of rows, got an object\.$/],
  [{ messages: [{ content: 'Hi' }] }, /^data\.messages\[0\] .*conversationId/],
  [{ leads: [{ phone: BRAZIL }, { phone: BRAZIL }] }, /^data\.leads\[1\] .*phone/],
  [{ lead: [] }, /`lead`.*`leads`/],
  [{ rows: [] }, /Unknown data list `rows`\. Known: pipelines, leads, /],
])('createMock() refuses the data %j and names the list and the row', (data, says) => {
  expect(refusal(() => createMock({ data: data as MockData }))).toMatch(says);
});

test('date-times are stored in UTC, and refused outside the years 0000 to 9999 in UTC', () => {
  const mock = createMock();
  const first = mock.leads.create({ createdAt: '0000-01-01T01:00:00+01:00' });
  const last = mock.leads.create({ createdAt: '9999-12-31T22:59:59.999-01:00' });
  expect(mock.leads.find()).toEqual([last, first]);
  expect([first.createdAt, last.createdAt]).toEqual(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
  const late = '9999-12-31T23:59:59-01:00';
  for (const make of [
    () => mock.leads.create({ createdAt: '0000-01-01T00:00:00+01:00' }),
    () => mock.leads.update(first.id, { createdAt: late }),
    () => mock.conversations.create({ lastMessageAt: late }),
    () => mock.agents.create({ updatedAt: late }),
  ]) {
    expect(refusal(make)).toMatch(/At must be within the years 0000 to 9999 in UTC, got "/);
  }
});

test('a Date in a row or in `data` is stored as a date-time', () => {
  const date = new Date('2026-03-01T09:00:00Z');
  const mock = createMock({ data: { conversations: [{ lastMessageAt: date }] } });
  const text = '2026-03-01T09:00:00.000Z';
  expect(mock.conversations.find()).toMatchObject([{ lastMessageAt: text }]);
  const { id } = mock.leads.create({ createdAt: date });
  expect(mock.leads.update(id, { createdAt: runInNewContext('new Date(0)') }).createdAt).toMatch(/^1970/);
  const says = 'createdAt must be a string, got a Date';
  expect(refusal(() => mock.leads.create({ createdAt: new Date('never') }))).toContain(says);
});

test('leads without a pipelineId belong to the pipeline that was created first, whatever its id or date', () => {
  const mock = createMock({ data: { pipelines: [{ id: HIGHEST }, { id: LOWEST }] } });
  const pipelineOf = (of: Mock) => of.leads.create({}).pipelineId;
  expect(pipelineOf(mock)).toBe(HIGHEST);
  const third = mock.pipelines.create({ createdAt: '2000-01-01T00:00:00Z' });
  expect([pipelineOf(mock), pipelineOf(createMock({ data: mock.dump() }))]).toEqual([HIGHEST, HIGHEST]);
  mock.pipelines.update(HIGHEST, { name: 'Still the first' });
  expect(pipelineOf(mock)).toBe(HIGHEST);
  for (const [first, next] of [
    [HIGHEST, LOWEST],
    [LOWEST, third.id],
  ] as const) {
    mock.pipelines.delete(first);
    expect(pipelineOf(mock)).toBe(next);
  }
});

test('delete() of a lead keeps its conversations, without a lead', async () => {
  const mock = createMock();
  const { lead, conversation, message } = await mock.inbound({ phone: BRAZIL, body: 'Hi' });
  const other = await mock.inbound({ phone: '+5511987654322', body: 'Hi' });
  mock.leads.delete(lead.id);
  expect(mock.conversations.get(conversation.id)).toEqual({ ...conversation, leadId: null });
  expect(mock.messages.get(message.id)).toEqual(message);
  expect(mock.conversations.find({ leadId: other.lead.id })).toHaveLength(1);
});

test('delete() of a conversation deletes its messages', async () => {
  const mock = createMock();
  const { conversation, message } = await mock.inbound({ phone: BRAZIL, body: 'Hi' });
  const other = await mock.inbound({ phone: '+5511987654322', body: 'Hi' });
  mock.conversations.delete(conversation.id);
  expect(mock.messages.get(message.id)).toBeUndefined();
  expect(mock.messages.find()).toEqual([other.message]);
});

test('messagesSince of the client returns a message that messages.create() or `data` adds', async () => {
  expect.assertions(2);
  const empty = createMock();
  empty.messages.create({ conversationId: empty.conversations.create({}).id });
  const { messages, conversations } = empty.dump();
  const rows = conversations.map(({ lastMessageAt: _, ...row }) => row);
  for (const mock of [empty, createMock({ data: { messages, conversations: rows } })]) {
    for await (const { messages: found } of createClient(mock.clientOptions).conversations.messagesSince(0)) {
      expect(found).toEqual(messages);
    }
  }
});

test('lastMessageAt of a conversation follows its newest message, unless the test sets a later time', () => {
  const [early, late, later] = ['2026-02-01', '2026-02-02', '2026-02-03'].map(
    (day) => `${day}T00:00:00.000Z`,
  );
  const [id, otherId] = [HIGHEST, LOWEST];
  const mock = createMock({
    data: {
      conversations: [
        { id: id.toUpperCase() },
        { id: otherId, lastMessageAt: null },
        { lastMessageAt: late },
        {},
      ],
      messages: [early, late].map((createdAt) => ({ conversationId: id, createdAt })),
    },
  });
  const orphan = mock.messages.create({ conversationId: NOBODY, createdAt: later });
  const times = () => [id, otherId].map((one) => mock.conversations.get(one)?.lastMessageAt);
  expect(times()).toEqual([late, null]);
  const message = mock.messages.create({ conversationId: id, createdAt: early });
  expect(times()).toEqual([late, null]);
  mock.messages.update(message.id, { createdAt: later });
  expect(times()).toEqual([later, null]);
  mock.messages.update(message.id, { conversationId: otherId });
  expect(times()).toEqual([late, later]);
  mock.messages.delete(message.id);
  expect(times()).toEqual([late, null]);
  mock.messages.delete(orphan.id);
  for (const lastMessageAt of [later, null]) {
    mock.conversations.update(id, { lastMessageAt });
    const { messages, conversations } = mock.dump();
    const again = createMock({ data: { messages, conversations: [...conversations, {}] } });
    expect(again.conversations.get(id)?.lastMessageAt).toBe(lastMessageAt);
  }
  mock.conversations.update(id, { lastMessageAt: later });
  mock.messages.create({ conversationId: id, createdAt: early });
  expect(times()).toEqual([later, null]);
});

test('dump() returns data that recreates the same rows, also after a round trip through JSON', () => {
  const mock = createMock({ data: 'demo' });
  mock.leads.create({ notes: 'VIP' });
  expect(createMock({ data: JSON.parse(JSON.stringify(mock.dump())) }).dump()).toEqual(mock.dump());
});

test('rows of the same moment stay in the order of creation, also after changes and a dump', () => {
  const mock = createMock();
  const made = [{ id: HIGHEST }, {}, { id: '9fffffff-ffff-8000-8000-000000000000' }, {}, { id: LOWEST }, {}];
  const expected = made.map((values) => mock.leads.create(values).id).toReversed();
  const listed = (of: Mock = mock) => of.leads.find().map(({ id }) => id);
  expect(listed()).toEqual(expected);
  mock.leads.update(HIGHEST, { status: 'lost' });
  expect(listed()).toEqual(expected);
  const again = createMock({ data: mock.dump() });
  const { id } = again.leads.create({});
  expect(listed(again)).toEqual([id, ...expected]);
});

test.for([
  [{ leads: [{ pipelineId: NOBODY }] }, 'data.leads[0] cannot be stored: its pipelineId'],
  [{ conversations: [{ pipelineId: NOBODY }] }, 'its pipelineId'],
  [{ conversations: [{ leadId: NOBODY }] }, 'its leadId'],
  [{ messages: [{ conversationId: NOBODY }] }, 'its conversationId'],
] as const)('only a strict mock refuses a reference to a row that does not exist: %j', ([data, says]) => {
  const why = `${says} must be the id of an existing row, got ${NOBODY}`;
  expect(() => createMock({ strict: true, data })).toThrow(why);
  createMock({ data });
  const { leads } = createMock({ strict: true });
  const { id } = leads.create({});
  expect(() => leads.update(id, { pipelineId: NOBODY })).toThrow('must be the id of an existing row');
});

test('delete() of a pipeline moves its leads and conversations to the first pipeline', () => {
  const mock = createMock({ strict: true, data: { pipelines: [{}, {}] } });
  const [newer, older] = mock.pipelines.find();
  const pipelineId = newer?.id;
  const lead = mock.leads.create({ pipelineId });
  const conversation = mock.conversations.create({ pipelineId, leadId: lead.id });
  mock.pipelines.delete(pipelineId ?? '');
  const rows = () => [mock.leads.get(lead.id), mock.conversations.get(conversation.id)];
  expect(rows()).toMatchObject([{ pipelineId: older?.id }, { pipelineId: older?.id, leadId: lead.id }]);
  mock.pipelines.delete(older?.id ?? '');
  const [made] = mock.pipelines.find();
  expect(rows()).toMatchObject([{ pipelineId: made?.id }, { pipelineId: made?.id }]);
});
