import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { open, PHONE } from '../support/hosts.ts';
import { receiver } from '../support/receiver.ts';

test('inbound() creates the lead, conversation and message, and delivers message.created', async () => {
  const { mock, send } = open();
  const { events, endpoint } = receiver();
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
  expect(events).toMatchObject([{ data: { body: 'Hello' } }, { data: { body: 'Anyone there?' } }]);
  expect((await send('leads.get', first.lead)).body.data).toEqual(first.lead);
  const { conversation, message } = second;
  expect((await send('conversations.get', conversation)).body.data).toMatchObject({
    ...conversation,
    messages: [first.message, message],
  });
});

test('inbound() with a conversationId creates the lead if the conversation has none', async () => {
  const { mock } = open();
  const pipelineId = mock.pipelines.create({}).id;
  const { id } = mock.conversations.create({ channel: 'email', pipelineId });
  const { lead, conversation } = await mock.inbound({ conversationId: id, body: 'Hi' });
  expect(conversation).toMatchObject({ id, leadId: lead.id });
  expect(lead).toMatchObject({ source: 'email', pipelineId, phone: null });
  expect((await mock.inbound({ conversationId: id, body: 'Hi again' })).lead.id).toBe(lead.id);
  await expect(mock.inbound({ body: 'Hi' })).rejects.toThrow(/phone/);
  const both = mock.inbound({ phone: PHONE, conversationId: id, body: 'Hi' });
  await expect(both).rejects.toThrow('either `phone` or `conversationId`');
  await expect(mock.inbound({ conversationId: lead.id, body: 'Hi' })).rejects.toThrow(lead.id);
  await expect(mock.inbound({ phone: 'nobody', body: 'Hi' })).rejects.toThrow('phone must be a phone number');
});

test('inbound() takes the source of a new lead from the channel, and the pipeline from the lead', async () => {
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

test('inbound() continues the latest conversation on the channel that is not resolved', async () => {
  const mock = createMock();
  const { lead, conversation } = await mock.inbound({ phone: PHONE, body: 'One' });
  const into = async () => (await mock.inbound({ phone: PHONE, body: 'More' })).conversation.id;
  expect(await into()).toBe(conversation.id);
  mock.conversations.update(conversation.id, { status: 'snoozed' });
  expect(await into()).toBe(conversation.id);
  const elsewhere = await mock.inbound({ phone: PHONE, channel: 'email', body: 'Two' });
  expect(elsewhere.conversation.id).not.toBe(conversation.id);
  const later = mock.conversations.create({ leadId: lead.id });
  expect(await into()).toBe(later.id);
  mock.conversations.update(later.id, { status: 'resolved' });
  expect(await into()).toBe(conversation.id);
  mock.conversations.update(conversation.id, { status: 'resolved' });
  expect([conversation.id, later.id]).not.toContain(await into());
});
