import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { open } from '../support/hosts.ts';
import { receiver } from '../support/receiver.ts';

const PHONE = '+5511987654321';

test('inbound() makes lead, conversation and message as needed, and delivers message.created', async () => {
  const { mock } = open();
  const { events, ...endpoint } = receiver();
  mock.webhooks.add(endpoint);

  const first = await mock.inbound({ phone: '+55 11 98765-4321', channel: 'messaging', body: 'Hello' });
  const second = await mock.inbound({ phone: PHONE, channel: 'messaging', body: 'Anyone there?' });
  await mock.webhooks.flush();

  expect(first.lead).toMatchObject({ phone: PHONE, status: 'new' });
  expect(first.conversation).toMatchObject({ leadId: first.lead.id, channel: 'messaging', status: 'open' });
  expect(first.message).toMatchObject({ senderType: 'lead', direction: 'inbound', content: 'Hello' });
  expect(second.lead.id).toBe(first.lead.id);
  expect(second.conversation.id).toBe(first.conversation.id);
  expect(second.conversation.lastMessageAt).toBe(second.message.createdAt);
  expect([mock.leads.count(), mock.conversations.count(), mock.messages.count()]).toEqual([1, 1, 2]);
  expect(events).toEqual([
    expect.objectContaining({ data: expect.objectContaining({ body: 'Hello' }) }),
    expect.objectContaining({ data: expect.objectContaining({ body: 'Anyone there?' }) }),
  ]);
});

test('inbound() opens a new conversation on another channel, and after the last one was resolved', async () => {
  const { mock } = open();
  const first = await mock.inbound({ phone: PHONE, body: 'One' });
  const elsewhere = await mock.inbound({ phone: PHONE, channel: 'email', body: 'Two' });
  mock.conversations.update(first.conversation.id, { status: 'resolved' });
  const again = await mock.inbound({ phone: PHONE, body: 'Three' });
  expect(new Set([first, elsewhere, again].map(({ conversation }) => conversation.id)).size).toBe(3);
  expect(mock.leads.count()).toBe(1);
});

test('inbound() into a conversation by its id makes the lead that it lacks', async () => {
  const { mock } = open();
  const { id } = mock.conversations.create({ channel: 'email' });
  const { lead, conversation } = await mock.inbound({ conversationId: id, body: 'Hi' });
  expect(conversation).toMatchObject({ id, leadId: lead.id });
  expect((await mock.inbound({ conversationId: id, body: 'Hi again' })).lead.id).toBe(lead.id);
  await expect(mock.inbound({ body: 'Hi' })).rejects.toThrow(/phone/);
  await expect(mock.inbound({ phone: PHONE, conversationId: id, body: 'Hi' })).rejects.toThrow(
    /both `phone` and `conversationId`/,
  );
  await expect(mock.inbound({ conversationId: lead.id, body: 'Hi' })).rejects.toThrow(lead.id);
  await expect(mock.inbound({ phone: 'nobody', body: 'Hi' })).rejects.toThrow(/E\.164/);
});

test('lead, conversation and message are given as the API gives them', async () => {
  const { mock, send } = open();
  const first = await mock.inbound({ phone: PHONE, body: 'Hello' });
  mock.leads.update(first.lead.id, { notes: 'VIP' });
  for (const { lead, conversation, message } of [
    first,
    await mock.inbound({ phone: PHONE, body: 'Again' }),
  ]) {
    expect((await send('leads.get', { id: lead.id })).body.data).toEqual(lead);
    const { body } = await send('conversations.get', { id: conversation.id });
    expect(body.data).toMatchObject({ ...conversation, messages: expect.arrayContaining([message]) });
  }
});

test('a new lead comes from the channel that it writes over, and its conversation is in its pipeline', async () => {
  const mock = createMock();
  const [first, second] = [mock.pipelines.find()[0]!, mock.pipelines.create({})];
  const fresh = await mock.inbound({ phone: PHONE, channel: 'email', body: 'Hi' });
  expect(fresh.lead).toMatchObject({ source: 'email', pipelineId: first.id });
  expect(fresh.conversation).toMatchObject({ channel: 'email', pipelineId: first.id });
  expect((await mock.inbound({ phone: '+5511987654322', body: 'Hi' })).lead.source).toBe('live_chat');

  mock.leads.create({ phone: '+5511987654323', pipelineId: second.id, source: 'import' });
  const known = await mock.inbound({ phone: '+5511987654323', channel: 'email', body: 'Hi' });
  expect(known.lead).toMatchObject({ source: 'import', pipelineId: second.id });
  expect(known.conversation.pipelineId).toBe(second.id);
});

test('the lead that a conversation lacks is made in its pipeline, and comes from its channel', async () => {
  const mock = createMock();
  const { id } = mock.pipelines.create({});
  const conversation = mock.conversations.create({ channel: 'email', pipelineId: id });
  const { lead } = await mock.inbound({ conversationId: conversation.id, body: 'Hi' });
  expect(lead).toMatchObject({ source: 'email', pipelineId: id, phone: null });
});

test('a conversation is continued while it is open or snoozed, the latest first', async () => {
  const mock = createMock();
  const { lead, conversation } = await mock.inbound({ phone: PHONE, body: 'One' });
  const into = async () => (await mock.inbound({ phone: PHONE, body: 'More' })).conversation.id;
  expect(await into()).toBe(conversation.id);
  mock.conversations.update(conversation.id, { status: 'snoozed' });
  expect(await into()).toBe(conversation.id);
  const later = mock.conversations.create({ leadId: lead.id });
  expect(await into()).toBe(later.id);
  mock.conversations.update(later.id, { status: 'resolved' });
  expect(await into()).toBe(conversation.id);
  mock.conversations.update(conversation.id, { status: 'resolved' });
  expect([conversation.id, later.id]).not.toContain(await into());
});
