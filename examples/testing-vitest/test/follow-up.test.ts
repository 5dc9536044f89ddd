import { ServerError } from '@confab/client';
import type { Mock } from '@confab/mock';
import { test } from '@confab/mock/vitest';
import { describe, expect } from 'vitest';
import { followUp } from '../src/follow-up.ts';

/** Adds a new lead with an open conversation. */
const addNewLead = (mock: Mock, displayName: string | null = null) => {
  const lead = mock.leads.create({ status: 'new', displayName });
  const conversation = mock.conversations.create({ leadId: lead.id, status: 'open' });
  return { lead, conversation };
};

test('a new lead gets a message with its name and becomes active', async ({ mock, confab }) => {
  const { lead, conversation } = addNewLead(mock, 'Ada');
  expect(await followUp(confab)).toBe(1);
  expect(mock).toHaveReceived('conversations.sendMessage', {
    id: conversation.id,
    content: 'Hello Ada, thank you for your interest! When may we call you?',
  });
  expect(mock.leads.get(lead.id)?.status).toBe('active');
});

test('leads with another status, or without an open conversation, get no message', async ({
  mock,
  confab,
}) => {
  const { lead } = addNewLead(mock);
  mock.leads.update(lead.id, { status: 'qualified' });
  const { conversation } = addNewLead(mock);
  mock.conversations.update(conversation.id, { status: 'resolved' });
  mock.leads.create({ status: 'new' });
  expect(await followUp(confab)).toBe(0);
  expect(mock).not.toHaveReceived('conversations.sendMessage');
});

test('every lead on several pages gets one message, although the list of new leads shrinks', async ({
  mock,
  confab,
}) => {
  const ids = Array.from({ length: 250 }, () => addNewLead(mock).conversation.id);
  expect(await followUp(confab)).toBe(250);
  const written = mock.requests.of('conversations.sendMessage').map(({ params }) => params.id);
  expect(written.toSorted()).toEqual(ids.toSorted());
});

test('waiting out a 429 of one minute takes no real time', async ({ mock, confab }) => {
  const { lead } = addNewLead(mock);
  mock.faults.once('leads.update', { status: 429, headers: { 'retry-after': '60' } });
  const before = mock.clock.now();
  expect(await followUp(confab)).toBe(1);
  expect(mock.clock.now() - before).toBe(60_000);
  expect(mock.requests.of('leads.update').map(({ status }) => status)).toEqual([429, 200]);
  expect(mock.leads.get(lead.id)?.status).toBe('active');
});

test('followUp() stops if a message fails with a 503, and the next run does not send it again', async ({
  mock,
  confab,
}) => {
  addNewLead(mock);
  addNewLead(mock);
  // A service that responds with 503 may have sent the message.
  mock.faults.once('conversations.sendMessage', { status: 503 });
  await expect(followUp(confab)).rejects.toThrow(ServerError);
  expect(mock.leads.count({ status: 'new' })).toBe(1);
  expect(await followUp(confab)).toBe(1);
  expect(mock.requests.of('conversations.sendMessage')).toHaveLength(2);
});

describe('under a limit of 20 requests a minute', () => {
  test.override('mockOptions', { rateLimit: 20 });

  test('followUp() reaches fifty leads within a few minutes of the mock’s clock', async ({
    mock,
    confab,
  }) => {
    for (let count = 0; count < 50; count += 1) {
      addNewLead(mock);
    }
    const before = mock.clock.now();
    expect(await followUp(confab)).toBe(50);
    expect(mock.clock.now() - before).toBeGreaterThanOrEqual(4 * 60_000);
    expect(mock.requests.all.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});
