import { expect, test } from 'vitest';
import type { Mock, MockData } from '../../src/index.ts';
import { CollectionError, createMock } from '../../src/index.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const BRAZIL = '+5511987654321';

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(CollectionError);
    return (error as Error).message;
  }
  return 'accepted';
};

test('create() returns a frozen row, in which every field that was left out has its default', () => {
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

test('each collection says what it calls a row, and lists its newest row first', async () => {
  const mock = createMock();
  const { id: conversationId } = mock.conversations.create({});
  for (const [noun, collection, create] of [
    ['pipeline', mock.pipelines, () => mock.pipelines.create({})],
    ['agent', mock.agents, () => mock.agents.create({})],
    ['lead', mock.leads, () => mock.leads.create({})],
    ['conversation', mock.conversations, () => mock.conversations.create({})],
    ['message', mock.messages, () => mock.messages.create({ conversationId })],
  ] as const) {
    await mock.clock.advance(1_000);
    const first = create();
    await mock.clock.advance(1_000);
    const second = create();
    expect(collection.find().slice(0, 2)).toEqual([second, first]);
    expect(refusal(() => collection.update('none', {}))).toBe(`No ${noun} has the id none`);
    const field = noun === 'agent' ? 'updatedAt' : 'createdAt';
    collection.update(second.id, { [field]: '2020-01-01T00:00:00.000Z' } as never);
    expect(collection.find()[0]).toEqual(first);
  }
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

test('find() by id, phone, filters and other fields at once finds the rows that match all of them', () => {
  const { leads } = createMock({
    data: { leads: [{}, { phone: BRAZIL, displayName: 'Ana', status: 'active' }] },
  });
  const [ana, other] = leads.find();
  leads.create({ displayName: 'Ana' });
  const id = ana?.id;
  for (const [where, found] of [
    [{ id, status: 'active' }, [ana]],
    [{ id, status: 'new' }, []],
    [{ id: 'none' }, []],
    [{ phone: BRAZIL, displayName: 'Ana' }, [ana]],
    [{ phone: BRAZIL, displayName: 'Bob' }, []],
    [{ phone: '+5511900000000' }, []],
    [{ phone: 'null' }, []],
    [{ displayName: 'Ana', status: 'active' }, [ana]],
    [{ displayName: null, status: undefined }, [other]],
  ] as const) {
    expect([where, leads.find(where)]).toEqual([where, found]);
    expect(leads.count(where)).toBe(found.length);
  }
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
  mock.leads.update(ana.id, { phone: null });
  mock.leads.delete(mock.leads.create({}).id);
  expect(mock.leads.create({ phone: '+5511987654322' }).phone).toBe('+5511987654322');
  expect(mock.leads.find({ phone: null })).toEqual([mock.leads.get(ana.id)]);
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

test('anything but an object is refused as a row, and every invalid field is named', () => {
  const mock = createMock();
  for (const values of ['Ana', null, 5, [], undefined]) {
    expect(refusal(() => mock.leads.create(values as never))).toContain('it must be an object, got');
    expect(refusal(() => createMock({ data: { leads: [{}, values as never] } }))).toMatch(
      /^data\.leads\[1\] can't be stored: it must be an object, got /,
    );
  }
  expect(refusal(() => createMock({ data: { leads: { id: 'x' } as never } }))).toBe(
    'data.leads must be an array of rows, got an object',
  );
  const { id } = mock.leads.create({});
  expect(refusal(() => mock.leads.update(id, (() => null) as never))).toContain(
    'must be an object, got null',
  );
  expect(refusal(() => mock.leads.create({ status: 5, email: 6 } as never))).toMatch(
    /^This lead can't be stored: (?:status|email) must [^;]+; (?:status|email) must/,
  );
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

test('deleting a lead leaves its conversations without one; deleting a conversation takes its messages', async () => {
  const mock = createMock();
  const { lead, conversation, message } = await mock.inbound({ phone: '+5511987654321', body: 'Hi' });
  const other = await mock.inbound({ phone: '+5511987654322', body: 'Hi' });
  mock.leads.delete(lead.id);
  expect(mock.conversations.get(conversation.id)?.leadId).toBeNull();
  mock.conversations.delete(conversation.id);
  expect(mock.messages.get(message.id)).toBeUndefined();
  expect(mock.conversations.find()).toEqual([mock.conversations.get(other.conversation.id)]);
  expect(mock.conversations.find({ leadId: other.lead.id })).toHaveLength(1);
  expect(mock.messages.find()).toEqual([other.message]);
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
