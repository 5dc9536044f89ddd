import { expect, test } from 'vitest';
import { CollectionError, createMock } from '../src/index.ts';

test('create() fills in what is left out, and gives a frozen row', () => {
  const mock = createMock();
  const lead = mock.leads.create({ displayName: 'Ana', email: undefined });
  expect(lead).toMatchObject({ displayName: 'Ana', email: null, phone: null, status: 'new', source: 'api' });
  expect(Object.isFrozen(lead)).toBe(true);
  expect(mock.leads.get(lead.id)).toBe(lead);
});

test('find() takes values, a query of @msw/data, or nothing, and gives the newest first', () => {
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

test('update() takes fields, or a function of the row as it is', () => {
  const mock = createMock();
  const { id } = mock.leads.create({ displayName: 'Ana' });
  expect(mock.leads.update(id, { status: 'lost' })).toMatchObject({ displayName: 'Ana', status: 'lost' });
  mock.leads.update(id, ({ displayName }) => ({ displayName: `${displayName} Silva` }));
  expect(mock.leads.get(id)?.displayName).toBe('Ana Silva');
  expect(mock.leads.count({ status: 'new' })).toBe(0);
  expect(() => mock.leads.update('nobody', {})).toThrow(CollectionError);
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

test('what does not fit the contract is refused, and says where', () => {
  const mock = createMock();
  expect(() => mock.leads.create({ id: 'seven' })).toThrow(/id must be a UUID, not "seven"/);
  expect(() => mock.leads.create({ createdAt: 'yesterday' })).toThrow(/createdAt/);
  expect(() => mock.leads.create({ phone: 'none' })).toThrow(/E\.164/);
  const { id } = mock.leads.create({});
  expect(() => mock.leads.create({ id })).toThrow(id);
  expect(() =>
    createMock({ data: { leads: [{ phone: '+5511987654321' }, { phone: '+5511987654321' }] } }),
  ).toThrow(/phone/);
  expect(() => createMock({ data: { leads: [{ id }, { id }] } })).toThrow(id);
});

test('deleting a lead leaves its conversations without one; deleting a conversation takes its messages', async () => {
  const mock = createMock();
  const { lead, conversation, message } = await mock.inbound({ phone: '+5511987654321', body: 'Hi' });
  mock.leads.delete(lead.id);
  expect(mock.conversations.get(conversation.id)?.leadId).toBeNull();
  mock.conversations.delete(conversation.id);
  expect(mock.messages.get(message.id)).toBeUndefined();
});

test('rows of one moment are in the order in which they came, the latest first', () => {
  const mock = createMock();
  const ids = Array.from({ length: 300 }, () => mock.leads.create({}).id);
  expect(mock.leads.find().map(({ id }) => id)).toEqual(ids.toReversed());
});

test('dump() gives data that makes the same world again', () => {
  const mock = createMock({ data: 'demo' });
  const again = createMock({ data: mock.dump() });
  expect(again.dump()).toEqual(mock.dump());
  // The same seed has the same ids to give out, and those are taken.
  for (let at = 0; at < 200; at += 1) again.leads.create({});
  expect(again.leads.count()).toBe(mock.leads.count() + 200);
});
