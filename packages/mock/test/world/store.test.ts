import { expect, test } from 'vitest';
import { CollectionError } from '../../src/index.ts';
import { Random } from '../../src/world/store/random.ts';
import { Store } from '../../src/world/store/store.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const BRAZIL = '+5511987654321';

const setUp = () => {
  let now = Date.parse(NOW);
  const changes: string[] = [];
  const store = new Store({
    random: new Random(1),
    clock: { now: () => now },
    watchers: { rowChanged: (collection, id) => changes.push(`${collection} ${id}`) },
  });
  const later = () => {
    now += 1_000;
  };
  return { store, changes, later };
};

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(CollectionError);
    return (error as Error).message;
  }
  return 'accepted';
};

test('every field that a row leaves out has its default', () => {
  const { store } = setUp();
  const id = expect.stringMatching(/^[\da-f-]{36}$/);
  const pipeline = store.firstPipeline();
  expect(pipeline).toEqual({ id, name: 'Sales', createdAt: NOW });
  expect(store.agents.create({})).toEqual({
    id,
    name: 'Assistant',
    description: null,
    llmProvider: 'mock',
    llmModel: null,
    updatedAt: NOW,
  });
  expect(store.leads.create({})).toEqual({
    id,
    pipelineId: pipeline.id,
    phone: null,
    displayName: null,
    email: null,
    source: 'api',
    status: 'new',
    createdAt: NOW,
    notes: null,
  });
  const conversation = store.conversations.create({});
  expect(conversation).toEqual({
    id,
    pipelineId: pipeline.id,
    leadId: null,
    channel: 'live_chat',
    status: 'open',
    priority: 'medium',
    lastMessageAt: null,
    createdAt: NOW,
  });
  expect(store.messages.create({ conversationId: conversation.id })).toEqual({
    id,
    conversationId: conversation.id,
    senderType: 'lead',
    direction: 'inbound',
    messageType: 'text',
    content: null,
    createdAt: NOW,
  });
});

test('messages of leads come in, and those of everyone else go out', () => {
  const { store } = setUp();
  const { id: conversationId } = store.conversations.create({});
  const directionOf = (senderType: 'lead' | 'ai_agent') =>
    store.messages.create({ conversationId, senderType }).direction;
  expect([directionOf('lead'), directionOf('ai_agent')]).toEqual(['inbound', 'outbound']);
});

test('each collection reports what is created, changed and deleted, under its name', () => {
  const { store, changes } = setUp();
  const conversation = store.conversations.create({});
  const rows = {
    pipelines: store.pipelines.create({}),
    agents: store.agents.create({}),
    leads: store.leads.create({}),
    conversations: conversation,
    messages: store.messages.create({ conversationId: conversation.id }),
  };
  // A conversation needs a pipeline, which is created first.
  expect(changes.slice(1)).toEqual(
    ['conversations', 'pipelines', 'agents', 'leads', 'messages'].map(
      (name) => `${name} ${rows[name as keyof typeof rows].id}`,
    ),
  );
  changes.length = 0;
  store.pipelines.update(rows.pipelines.id, {});
  store.agents.update(rows.agents.id, {});
  store.leads.update(rows.leads.id, {});
  store.messages.update(rows.messages.id, {});
  store.conversations.update(rows.conversations.id, {});
  store.messages.delete(rows.messages.id);
  expect(changes).toEqual([
    `pipelines ${rows.pipelines.id}`,
    `agents ${rows.agents.id}`,
    `leads ${rows.leads.id}`,
    `messages ${rows.messages.id}`,
    `conversations ${rows.conversations.id}`,
    `messages ${rows.messages.id}`,
  ]);
});

test('each collection says what it calls a row, and lists its newest row first', () => {
  const { store, later } = setUp();
  const { id: conversationId } = store.conversations.create({});
  const collections = [
    ['pipeline', store.pipelines, () => store.pipelines.create({})],
    ['agent', store.agents, () => store.agents.create({})],
    ['lead', store.leads, () => store.leads.create({})],
    ['conversation', store.conversations, () => store.conversations.create({})],
    ['message', store.messages, () => store.messages.create({ conversationId })],
  ] as const;
  for (const [noun, collection, create] of collections) {
    later();
    const first = create();
    later();
    const second = create();
    expect(collection.find().slice(0, 2)).toEqual([second, first]);
    expect(refusal(() => collection.update('none', {}))).toBe(`No ${noun} has the id none`);
    // As old as it gets: the other one is newer now.
    const field = noun === 'agent' ? 'updatedAt' : 'createdAt';
    collection.update(second.id, { [field]: '2020-01-01T00:00:00.000Z' } as never);
    expect(collection.find()[0]).toEqual(first);
  }
});

test('deleting a row concerns only the rows that belong to it', () => {
  const { store } = setUp();
  const [ana, bob] = [store.leads.create({}), store.leads.create({})];
  const [one, two] = [ana, bob].map(({ id }) => store.conversations.create({ leadId: id }));
  const texts = [one, two].map((conversation) =>
    store.messages.create({ conversationId: conversation?.id ?? '' }),
  );
  store.leads.delete(ana.id);
  expect(store.conversations.find().map(({ leadId }) => leadId)).toEqual([bob.id, null]);
  store.conversations.delete(one?.id ?? '');
  expect(store.messages.find()).toEqual([texts[1]]);
});

test('a row that was created with an id follows it with the ids of later rows', () => {
  const { store } = setUp();
  const far = '8fffffff-ffff-8000-8000-000000000000';
  store.leads.create({ id: far });
  expect(store.leads.create({}).id > far).toBe(true);
});

test('a changed row keeps its place among rows of the same moment', () => {
  const { store } = setUp();
  const [a, b, c] = [store.leads.create({}), store.leads.create({}), store.leads.create({})];
  store.leads.update(b.id, { displayName: 'Bob' });
  expect(store.leads.find().map(({ id }) => id)).toEqual([c.id, b.id, a.id]);
});

test('undefined in a search is no condition', () => {
  const { store } = setUp();
  const [a, b] = [store.leads.create({ email: 'a@example.com' }), store.leads.create({})];
  expect(store.leads.find({ status: undefined, email: undefined })).toEqual([b, a]);
  expect(store.leads.count({ status: undefined })).toBe(2);
});

test('searching by id, phone, filters and other fields at once finds the rows that match all of them', () => {
  const { store } = setUp();
  const ana = store.leads.create({ phone: BRAZIL, displayName: 'Ana', status: 'active' });
  store.leads.create({ displayName: 'Ana' });
  store.leads.create({ displayName: 'Bob', status: 'active' });
  expect(store.leads.find({ id: ana.id, status: 'active' })).toEqual([ana]);
  expect(store.leads.find({ id: ana.id, status: 'new' })).toEqual([]);
  expect(store.leads.find({ id: 'none' })).toEqual([]);
  expect(store.leads.find({ phone: BRAZIL, displayName: 'Ana' })).toEqual([ana]);
  expect(store.leads.find({ phone: BRAZIL, displayName: 'Bob' })).toEqual([]);
  expect(store.leads.find({ phone: '+5511900000000' })).toEqual([]);
  expect(store.leads.find({ displayName: 'Ana', status: 'active' })).toEqual([ana]);
  expect(store.leads.count({ displayName: 'Ana', status: 'active' })).toBe(1);
  expect(store.leads.count({ displayName: 'Ana' })).toBe(2);
});

test('a phone leads to its lead until the lead changes it, gives it up or is deleted', () => {
  const { store } = setUp();
  const other = '+5511900000001';
  const { id } = store.leads.create({ phone: BRAZIL });
  expect(store.leads.holding(BRAZIL)?.id).toBe(id);
  store.leads.update(id, { displayName: 'Ana' });
  expect(store.leads.holding(BRAZIL)?.displayName).toBe('Ana');
  store.leads.update(id, { phone: other });
  expect([store.leads.holding(BRAZIL), store.leads.holding(other)?.id]).toEqual([undefined, id]);
  store.leads.update(id, { phone: null });
  expect(store.leads.holding(other)).toBeUndefined();
  store.leads.update(id, { phone: other });
  store.leads.delete(id);
  expect(store.leads.holding(other)).toBeUndefined();
  // Leads without a phone hold none.
  const [a, b] = [store.leads.create({}), store.leads.create({})];
  store.leads.delete(a.id);
  expect(store.leads.find()).toEqual([b]);
  expect(store.leads.holding('null')).toBeUndefined();
});

test('loaded leads hold their phones, and those without one hold none', () => {
  const { store } = setUp();
  store.load({ leads: [{ phone: BRAZIL }, {}, {}] });
  expect(store.leads.holding(BRAZIL)).toMatchObject({ phone: BRAZIL });
  expect(store.leads.holding('null')).toBeUndefined();
});

test('rows are counted between two moments, both included', () => {
  const { store } = setUp();
  for (const day of ['01', '02', '03', '04']) {
    store.leads.create({ createdAt: `2026-01-${day}T00:00:00.000Z`, status: day === '03' ? 'lost' : 'new' });
  }
  const between = (from: string, to: string, where = {}) =>
    store.leads.countBetween(where, `2026-01-${from}T00:00:00.000Z`, `2026-01-${to}T00:00:00.000Z`);
  expect(between('02', '04')).toBe(3);
  expect(between('02', '04', { status: 'new' })).toBe(2);
  expect(between('04', '02')).toBe(0);
  expect(store.leads.count()).toBe(4);
});

test('what is wrong with a row is said field by field', () => {
  const { store } = setUp();
  expect(refusal(() => store.load({ leads: ['Ana'] as never }))).toMatch(
    /^data\.leads\[0\] can't be stored: it must be an object, got a string$/,
  );
  expect(refusal(() => store.load({ leads: [{}, []] as never }))).toContain('data.leads[1]');
  expect(refusal(() => store.load({ leads: { id: 'x' } as never }))).toBe(
    'data.leads must be an array of rows, got an object',
  );
  for (const values of ['Ana', null, 5, [], undefined]) {
    expect(refusal(() => store.leads.create(values as never))).toContain('it must be an object, got');
  }
  const { id } = store.leads.create({});
  expect(refusal(() => store.leads.update(id, (() => null) as never))).toContain(
    'must be an object, got null',
  );
  expect(refusal(() => store.leads.create({ status: 5, email: 6 } as never))).toMatch(
    /^This lead can't be stored: (?:status|email) must [^;]+; (?:status|email) must/,
  );
  for (const list of ['pipelines', 'agents', 'leads', 'conversations', 'messages']) {
    expect(refusal(() => store.load({ [list]: [{ id: 5 }] }))).toContain(`data.${list}[0]`);
  }
});
