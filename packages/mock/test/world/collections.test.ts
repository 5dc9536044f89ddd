import { expect, test } from 'vitest';
import type { Mock, MockData } from '../../src/index.ts';
import { CollectionError, createMock } from '../../src/index.ts';

test('create() fills in defaults, and returns a frozen row', () => {
  const mock = createMock();
  const lead = mock.leads.create({ displayName: 'Ana', email: undefined });
  expect(lead).toMatchObject({ displayName: 'Ana', email: null, phone: null, status: 'new', source: 'api' });
  expect(Object.isFrozen(lead)).toBe(true);
  expect(mock.leads.get(lead.id)).toBe(lead);
});

test('find() accepts values, an @msw/data query or nothing, and returns the newest first', () => {
  const mock = createMock();
  const ana = mock.leads.create({ displayName: 'Ana', status: 'active', source: 'web' });
  const bob = mock.leads.create({ displayName: 'Bob', status: 'active', email: 'bob@example.com' });
  const old = mock.leads.create({ createdAt: '2020-01-01T00:00:00Z' });
  expect(mock.leads.find()).toEqual([bob, ana, old]);
  expect(mock.leads.find({ status: 'active' })).toEqual([bob, ana]);
  expect(mock.leads.find({ status: 'active', displayName: 'Ana' })).toEqual([ana]);
  expect(mock.leads.find({ email: null })).toEqual([ana, old]);
  expect(mock.leads.find((q) => q.where({ source: 'web' }).or({ displayName: 'Bob' }))).toEqual([bob, ana]);
  expect(mock.leads.find((q) => q.where({ email: (email) => email?.endsWith('@example.com') }))).toEqual([
    bob,
  ]);
  expect(mock.leads.find((q) => q.where((lead) => lead.createdAt < '2021'))).toEqual([old]);
});

test('count() counts what find() finds', () => {
  const mock = createMock({ data: 'demo' });
  expect(mock.leads.count()).toBe(mock.leads.find().length);
  expect(mock.leads.count({ status: 'new' })).toBe(mock.leads.find({ status: 'new' }).length);
  expect(mock.leads.count({ email: null })).toBe(mock.leads.find({ email: null }).length);
  expect(mock.leads.count((q) => q.where({ status: 'lost' }))).toBe(mock.leads.count({ status: 'lost' }));
});

test('update() accepts fields, or a function of the current row', () => {
  const mock = createMock();
  const { id } = mock.leads.create({ displayName: 'Ana' });
  expect(mock.leads.update(id, { status: 'lost' })).toMatchObject({ displayName: 'Ana', status: 'lost' });
  mock.leads.update(id, ({ displayName }) => ({ displayName: `${displayName} Silva` }));
  expect(mock.leads.get(id)?.displayName).toBe('Ana Silva');
  expect(mock.leads.count({ status: 'new' })).toBe(0);
  expect(() => mock.leads.update('nobody', {})).toThrow(CollectionError);
});

test('a change that a function of update() makes to its own row is kept', () => {
  const mock = createMock();
  const { id } = mock.leads.create({ displayName: 'Ana' });
  const after = mock.leads.update(id, ({ displayName }) => {
    mock.leads.update(id, { status: 'active', displayName: 'lost' });
    return { displayName: `${displayName} Silva` };
  });
  expect(after).toMatchObject({ displayName: 'Ana Silva', status: 'active' });
  expect(() =>
    mock.leads.update(id, () => {
      mock.leads.delete(id);
      return { status: 'lost' };
    }),
  ).toThrow(id);
  expect(mock.leads.count()).toBe(0);
});

test('a phone can be taken once, and is free again when its lead is deleted or changes it', () => {
  const mock = createMock();
  const ana = mock.leads.create({ phone: '+5511987654321' });
  expect(() => mock.leads.create({ phone: '+55 11 98765-4321' })).toThrow(/phone/);
  mock.leads.update(ana.id, { phone: '+5511987654322' });
  const bob = mock.leads.create({ phone: '+5511987654321' });
  expect(() => mock.leads.update(ana.id, { phone: '+5511987654321' })).toThrow(bob.id);
  expect(mock.leads.delete(bob.id)).toBe(true);
  expect(mock.leads.delete(bob.id)).toBe(false);
  mock.leads.create({ phone: '+5511987654321' });
  expect(mock.leads.count()).toBe(2);
});

test('rows that break the contract throw, and name the path', () => {
  const mock = createMock();
  expect(() => mock.leads.create({ id: 'seven' })).toThrow(/id must be a UUID, got "seven"/);
  expect(() => mock.leads.create({ createdAt: 'yesterday' })).toThrow(/createdAt/);
  expect(() => mock.leads.create({ createdAt: '2026-02-30T00:00:00Z' })).toThrow(/createdAt/);
  expect(() => mock.leads.create({ phone: 'none' })).toThrow(/E\.164/);
  const { id } = mock.leads.create({});
  expect(() => mock.leads.create({ id })).toThrow(id);
  expect(() =>
    createMock({ data: { leads: [{ phone: '+5511987654321' }, { phone: '+5511987654321' }] } }),
  ).toThrow(/phone/);
  expect(() => createMock({ data: { leads: [{ id }, { id }] } })).toThrow(id);
});

test('an unknown field of a row throws, and is named', () => {
  const mock = createMock();
  const typo: object = { displayname: 'Ana' };
  expect(() => mock.leads.create(typo)).toThrow(CollectionError);
  expect(() => mock.leads.create(typo)).toThrow(
    /^This lead can't be stored: unknown lead field `displayname`\. Did you mean `displayName`\?$/,
  );
  expect(() => mock.conversations.create({ ...typo })).toThrow(/^This conversation .*displayname/);
  const { id } = mock.leads.create({});
  expect(() => mock.leads.update(id, typo)).toThrow(/displayname/);
  expect(mock.leads.count()).toBe(1);
});

test('a row of `data` that cannot be stored is named by its list and index', () => {
  const leads = [{}, {}, {}];
  const { id } = createMock().leads.create({});
  const phone = '+5511987654321';
  for (const [data, says] of [
    [{ leads: [...leads, { displayname: 'typo' }] }, /^data\.leads\[3\] .*displayname/],
    [{ agents: [{ llm: 'x' }] }, /^data\.agents\[0\] .*llm/],
    [{ messages: [{ content: 'Hi' }] }, /^data\.messages\[0\] .*conversationId/],
    [{ leads: [...leads, { phone: 'none' }] }, /^data\.leads\[3\] .*E\.164/],
    [{ leads: [{ phone }, { phone }] }, /^data\.leads\[1\] .*phone/],
    [{ pipelines: [{ id }, { id }] }, /^data\.pipelines\[1\] .*id/],
    [{ lead: [] }, /`lead`.*`leads`/],
    [{ rows: [] }, /rows.*pipelines, agents, leads, conversations, messages/],
  ] as const) {
    const make = () => createMock({ data: data as MockData });
    expect(make).toThrow(CollectionError);
    expect(make).toThrow(says);
  }
});

test('date-times are kept in UTC, and refused outside the years 0000 to 9999 there', () => {
  const mock = createMock();
  const first = mock.leads.create({ createdAt: '0000-01-01T01:00:00+01:00' });
  const last = mock.leads.create({ createdAt: '9999-12-31T22:59:59.999-01:00' });
  expect(mock.leads.find()).toEqual([last, first]);
  expect([first.createdAt, last.createdAt]).toEqual(['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
  const late = '9999-12-31T23:59:59-01:00';
  for (const make of [
    () => mock.leads.create({ createdAt: late }),
    () => mock.leads.create({ createdAt: '0000-01-01T00:00:00+01:00' }),
    () => mock.leads.update(first.id, { createdAt: late }),
    () => mock.conversations.create({ lastMessageAt: late }),
    () => mock.agents.create({ updatedAt: late }),
    () => mock.pipelines.create({ createdAt: late }),
    () => createMock({ data: { messages: [{ conversationId: first.id, createdAt: late }] } }),
  ]) {
    expect(make).toThrow(CollectionError);
    expect(make).toThrow(/At must be within the years 0000 to 9999 in UTC, got "/);
  }
});

test('the first pipeline is the first of `data`, then the first made, whatever its id or date', () => {
  const [low, high] = ['00000000-0000-4000-8000-000000000000', 'ffffffff-0000-4000-8000-000000000000'];
  const pipelines = [
    { id: high, name: 'First' },
    { id: low, name: 'Second' },
  ];
  const mock = createMock({ data: { pipelines } });
  const pipelineOf = (of: Mock) => of.leads.create({}).pipelineId;
  expect(pipelineOf(mock)).toBe(high);
  const third = mock.pipelines.create({ createdAt: '2000-01-01T00:00:00Z' });
  expect(pipelineOf(mock)).toBe(high);
  expect(pipelineOf(createMock({ data: mock.dump() }))).toBe(high);
  expect(mock.conversations.create({}).pipelineId).toBe(high);
  const before = mock.snapshot();
  mock.pipelines.update(high, { name: 'Still the first' });
  expect(pipelineOf(mock)).toBe(high);
  mock.pipelines.delete(high);
  expect(pipelineOf(mock)).toBe(low);
  mock.pipelines.delete(low);
  expect(pipelineOf(mock)).toBe(third.id);
  mock.pipelines.create({ id: low });
  expect(pipelineOf(mock)).toBe(third.id);
  mock.restore(before);
  expect(pipelineOf(mock)).toBe(high);
});

test('the first pipeline is still the first after dump() and load, though lists have it last', () => {
  const mock = createMock({ data: { pipelines: [{ name: 'First' }, { name: 'Second' }] } });
  expect(mock.pipelines.find().map(({ name }) => name)).toEqual(['Second', 'First']);
  const again = createMock({ data: mock.dump() });
  expect(again.leads.create({}).pipelineId).toBe(mock.leads.create({}).pipelineId);
  expect(again.pipelines.find()).toEqual(mock.pipelines.find());
});

test('deleting a lead leaves its conversations without one; deleting a conversation takes its messages', async () => {
  const mock = createMock();
  const { lead, conversation, message } = await mock.inbound({ phone: '+5511987654321', body: 'Hi' });
  mock.leads.delete(lead.id);
  expect(mock.conversations.get(conversation.id)?.leadId).toBeNull();
  mock.conversations.delete(conversation.id);
  expect(mock.messages.get(message.id)).toBeUndefined();
});

test('rows of the same moment are in the order of creation, the latest first', () => {
  const mock = createMock();
  const ids = Array.from({ length: 300 }, () => mock.leads.create({}).id);
  expect(mock.leads.find().map(({ id }) => id)).toEqual(ids.toReversed());
});

test('dump() returns data that recreates the same world', () => {
  const mock = createMock({ data: 'demo' });
  mock.leads.create({ notes: 'VIP' });
  const again = createMock({ data: mock.dump() });
  expect(again.dump()).toEqual(mock.dump());
  expect(createMock({ data: JSON.parse(JSON.stringify(mock.dump())) }).dump()).toEqual(mock.dump());
});

test('a row made after a dump was loaded lists above those of the dump, and has an id of its own', () => {
  const mock = createMock();
  const old = Array.from({ length: 50 }, () => mock.leads.create({}));
  const again = createMock({ data: mock.dump() });
  const made = Array.from({ length: 50 }, () => again.leads.create({}));
  expect(again.leads.find()).toEqual([...old, ...made].toReversed());
  // Even when rows without an id come before those that have one.
  const mixed = createMock({ data: { leads: [{}, {}, ...mock.dump().leads] } });
  expect(mixed.leads.count()).toBe(52);
});

test('rows of the same moment are in the order of creation whatever their ids are, through changes, snapshots and dumps', () => {
  const mock = createMock();
  const ids = ['ffffffff-0000-4000-8000-000000000000', '9fffffff-ffff-8000-8000-000000000000'];
  const made = [{ id: ids[0] }, {}, { id: ids[1] }, {}, { id: '00000000-0000-4000-8000-000000000000' }, {}];
  const expected = made.map((values) => mock.leads.create(values).id).toReversed();
  const listed = (of: Mock = mock) => of.leads.find().map(({ id }) => id);
  expect(listed()).toEqual(expected);
  const before = mock.snapshot();
  mock.leads.update(ids[0] ?? '', { status: 'lost' });
  expect(listed()).toEqual(expected);
  expect(listed(createMock({ data: mock.dump() }))).toEqual(expected);
  mock.leads.delete(ids[1] ?? '');
  mock.restore(before);
  expect(listed()).toEqual(expected);
});

test('messages of one moment are read in the order in which they were written, whatever their ids are', async () => {
  const mock = createMock();
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'first' });
  const last = { id: '00000000-0000-4000-8000-000000000000', content: 'second' };
  mock.messages.create({ conversationId: conversation.id, ...last });
  const path = `/api/v2/public/conversations/${conversation.id}`;
  const response = await mock.fetch(mock.baseUrl + path, { headers: { 'x-api-key': mock.apiKey } });
  const { data } = (await response.json()) as {
    data: { messages: { content: string; createdAt: string }[] };
  };
  expect(data.messages.map(({ content }) => content)).toEqual(['first', 'second']);
  expect(new Set(data.messages.map(({ createdAt }) => createdAt)).size).toBe(1);
});

test('rows of one moment in a data file are listed from the last to the first', () => {
  const ids = ['b', 'c', 'a'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);
  const mock = createMock({ data: { leads: ids.map((id) => ({ id })), agents: ids.map((id) => ({ id })) } });
  expect(mock.leads.find().map(({ id }) => id)).toEqual(ids.toReversed());
  expect(mock.agents.find().map(({ id }) => id)).toEqual(ids.toReversed());
});
