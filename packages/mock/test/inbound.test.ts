import { expect, test } from 'vitest';
import { createMock } from '../src/index.ts';
import { open } from './hosts.ts';

const PHONE = '+5511987654321';

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
