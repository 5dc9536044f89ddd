import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@confab/client';
import type { MockOptions } from '@confab/mock';
import { createMock } from '@confab/mock';
import { answerQuestions } from '../src/answer-questions.ts';

const SECRET = 'whsec_test';

/** Starts a mock that delivers to the receiver within this process. */
const start = (options: MockOptions = {}) => {
  const mock = createMock({ strict: true, ...options });
  const receiver = answerQuestions(createClient(mock.clientOptions), SECRET);
  mock.webhooks.add({ url: 'https://receiver.test/webhooks', secret: SECRET, fetch: receiver.fetch });
  return mock;
};

test('the agent answers a question once, even if it asks back', async () => {
  let asked = 0;
  const respond = () => {
    asked += 1;
    return asked < 5 ? 'For today?' : 'Yes.';
  };
  const mock = start({ agents: { respond } });
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Are you open?' });
  await mock.webhooks.flush();
  assert.deepEqual(
    mock.messages
      .find({ conversationId: conversation.id, direction: 'outbound' })
      .map(({ content }) => content),
    ['For today?'],
  );
  assert.equal(mock.webhooks.deliveries.length, 2);
});

test('the agent does not answer messages without a question', async () => {
  const mock = start();
  await mock.inbound({ phone: '+5511987654321', body: 'I will come tomorrow.' });
  await mock.webhooks.flush();
  assert.equal(mock.requests.length, 0);
});

test('while the API is unreachable, deliveries are retried until the question is answered', async () => {
  const mock = start();
  mock.faults.once('agents.invoke', { network: 'error' });
  mock.faults.once('agents.invoke', { network: 'error' });
  await mock.inbound({ phone: '+5511987654321', body: 'Are you open?' });
  await mock.webhooks.flush();
  const [question] = mock.webhooks.deliveries;
  assert.deepEqual(
    question?.attempts.map(({ status }) => status),
    [500, 500, 200],
  );
  assert.equal(mock.messages.count({ direction: 'outbound' }), 1);
});
